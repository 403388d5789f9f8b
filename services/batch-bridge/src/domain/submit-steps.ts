import { fail } from './errors.js';
import { type JobFolderPath, jobFolderPath } from './job-folder-path.js';
import type { JobId } from './job-id.js';
import { placeJob } from './place-job.js';
import { planJobs } from './plan-jobs.js';
import type { BatchOrder, Jobs } from './ports.js';
import { type Resolution, resolveSchedulerJob } from './resolve-scheduler-job.js';
import type { SchedulerJobId } from './scheduler.js';
import type { StepContext, StepOutcome, SubmitStepsPorts } from './step-context.js';
import { type ClusterJob, COLLECT_ORDINAL, markerOf } from './submission.js';

const DONE: StepOutcome = { kind: 'done' };
/** Why open tasks of a canceled job end; jobs has said CANCELED before. */
const CANCELED = 'The job was canceled';

/**
 * Takes a submission as far as it goes: folder, arrays, collect job. Every step looks for what an earlier, interrupted one
 * has done; whatever stops in between, each array is submitted once. What is to be canceled gets no further than it is.
 * @throws ServiceError SCHEDULER_REFUSED when it will never be submitted, and all that stops it for now
 */
export async function takeSteps(ports: SubmitStepsPorts, context: StepContext): Promise<StepOutcome> {
  const { store, jobs, clock } = ports;
  const { cluster, session, username, submission } = context;
  const { jobId, phase } = submission;
  if (phase.kind !== 'accepted' && phase.kind !== 'uploaded') return DONE;
  if (phase.kind === 'uploaded' && phase.username !== username) {
    throw fail('CREDENTIAL_UNUSABLE', {
      message: `The SSH certificate is no longer for the login name ${phase.username}`,
    });
  }
  const folder = jobFolderPath(cluster, username, jobId);
  const isRevoked = submission.isCancelWanted || submission.isDeleteWanted;
  const order = isRevoked ? undefined : await jobs.getBatchOrder(jobId);
  const mustStop = order?.isOpen !== true;
  if (phase.kind === 'uploaded')
    return submitJobs(ports, context, { folder, mustStop, isNew: false, jobs: phase.jobs });
  if (mustStop) {
    await store.end(jobId, { message: CANCELED }, clock.now());
    return DONE;
  }
  const taskCount = countTasks(order);
  await store.notePlace(jobId, username);
  const isNew = await placeJob(ports, { cluster, session, jobId, order, folder });
  const planned = planJobs(taskCount, cluster.arrayTasksMax);
  await store.setUploaded(jobId, { username, taskCount, jobs: planned }, clock.now());
  const state = { kind: 'planned' } as const;
  const fresh = planned.map((job) => ({ ...job, marker: markerOf(jobId, job.ordinal), state }));
  return submitJobs(ports, context, { folder, mustStop, isNew, jobs: fresh });
}

/** Tasks are numbered from 1 without a gap: an index in an array stands for a task. */
function countTasks({ tasks }: BatchOrder): number {
  if (tasks.length === 0 || tasks.some(({ taskId }, i) => taskId !== i + 1)) {
    throw new Error('jobs answered with tasks that are not numbered from 1');
  }
  return tasks.length;
}

type JobsToSubmit = Pick<Resolution, 'folder' | 'mustStop' | 'isNew'> & { readonly jobs: readonly ClusterJob[] };

async function submitJobs(
  ports: SubmitStepsPorts,
  context: StepContext,
  { folder, mustStop, isNew, jobs }: JobsToSubmit,
): Promise<StepOutcome> {
  const ids = new Map<number, SchedulerJobId>();
  const inOrder = [...jobs].sort((a, b) => (a.ordinal || Infinity) - (b.ordinal || Infinity)); // the collect job last
  for (const job of inOrder) {
    const arrays = inOrder.filter(({ ordinal }) => ordinal !== COLLECT_ORDINAL);
    const resolved = await resolveSchedulerJob(ports, context, job, { folder, mustStop, isNew, arrays, ids });
    if (resolved.kind === 'later') return resolved;
    if (resolved.id !== undefined) ids.set(job.ordinal, resolved.id);
  }
  return finish(ports, context, { folder, mustStop, ids });
}

/** Everything that will ever be at the scheduler is there. */
async function finish(
  { store, intents, jobs, clock }: SubmitStepsPorts,
  { submission: { jobId } }: StepContext,
  {
    folder,
    mustStop,
    ids,
  }: Pick<JobsToSubmit, 'folder' | 'mustStop'> & { readonly ids: ReadonlyMap<number, SchedulerJobId> },
): Promise<StepOutcome> {
  if (ids.size === 0) {
    await store.end(jobId, { message: CANCELED }, clock.now());
    return DONE;
  }
  const isOpen = await reportPlace(jobs, jobId, folder, ids);
  // the job has ended meanwhile, and its cancel may not be on its way
  if (mustStop || !isOpen) await intents.requestCancel(jobId, clock.now());
  await store.setSubmitted(jobId, clock.now());
  return DONE;
}

function reportPlace(
  jobs: Jobs,
  jobId: JobId,
  jobDir: JobFolderPath,
  ids: ReadonlyMap<number, SchedulerJobId>,
): Promise<boolean> {
  const arrayId = [...ids].find(([ordinal]) => ordinal !== COLLECT_ORDINAL)?.[1];
  const collectId = ids.get(COLLECT_ORDINAL);
  return jobs.reportBatch(jobId, {
    jobDir,
    waitingReason: '',
    ...(arrayId === undefined ? {} : { arrayId }),
    ...(collectId === undefined ? {} : { collectId }),
  });
}
