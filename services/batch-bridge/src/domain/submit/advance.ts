import { fail } from '../errors.js';
import { type JobFolderPath, jobFolderPath } from '../job-folder-path.js';
import type { WorkerPorts } from '../ports.js';
import type { SchedulerJobId } from '../scheduler.js';
import { isCollect, type SchedulerJob } from '../submission.js';
import {
  endSubmission,
  hasAccepted,
  markSubmitted,
  markUploaded,
  recordTarget,
  requestStop,
  updateSubmission,
} from '../submission-state.js';
import { planSchedulerJobs } from './plan-scheduler-jobs.js';
import { type Resolution, resolveSchedulerJob } from './resolve-scheduler-job.js';
import type { AdvanceOutcome, SubmitContext } from './submit-context.js';
import { uploadJob } from './upload-job.js';

const DONE: AdvanceOutcome = { kind: 'done' };

/**
 * Takes a submission as far as it gets: folder, arrays, collect job. Every step checks what an earlier,
 * interrupted one has done; whatever crashes in between, each array is submitted once. What is canceled gets no further.
 * @throws ServiceError SCHEDULER_REFUSED when it will never be submitted, and all that stops it for now
 */
export async function advance(ports: WorkerPorts, context: SubmitContext): Promise<AdvanceOutcome> {
  const { store, jobs, clock } = ports;
  const { cluster, username, submission } = context;
  const { jobId, phase } = submission;
  if (phase.kind !== 'accepted' && phase.kind !== 'uploaded') return DONE;
  if (phase.kind === 'uploaded' && phase.remoteJob.username !== username) {
    const message = `The SSH certificate is no longer for the login name ${phase.remoteJob.username}`;
    throw fail('CREDENTIAL_UNUSABLE', { message });
  }
  const folder = jobFolderPath(cluster, username, jobId);
  const state = submission.desired === 'run' ? await jobs.getState(jobId) : undefined;
  const mustStop = state?.isOpen !== true;
  if (phase.kind === 'uploaded') {
    const { schedulerJobs } = phase.remoteJob;
    return submitSchedulerJobs(ports, context, { folder, mustStop, isNew: false, schedulerJobs });
  }
  if (mustStop) return endCanceled(ports, context);
  const spec = await store.findSpec(jobId);
  if (spec === undefined) throw new Error(`${jobId} was accepted without its spec`);
  await updateSubmission(store, submission, (stored) => recordTarget(stored, username));
  const isNew = await uploadJob(ports, context, folder, spec, state.updateKey);
  const taskCount = spec.tasks.length;
  const remoteJob = { username, taskCount, schedulerJobs: planSchedulerJobs(submission, cluster.arrayTasksMax) };
  await updateSubmission(store, submission, (stored) => markUploaded(stored, remoteJob, clock.now()));
  return submitSchedulerJobs(ports, context, { folder, mustStop, isNew, ...remoteJob });
}

/**
 * Ends a submission that was canceled before anything was submitted; for jobs it is CANCELED already. One that another copy
 * of the service has taken further meanwhile stays: what is at the scheduler has to be canceled there.
 */
export async function endCanceled(
  { store, clock }: Pick<WorkerPorts, 'store' | 'clock'>,
  { submission }: Pick<SubmitContext, 'submission'>,
): Promise<AdvanceOutcome> {
  const end = { message: 'The job was canceled' };
  await updateSubmission(store, submission, (stored) => {
    return hasAccepted(stored) || stored.phase.kind !== submission.phase.kind
      ? stored
      : endSubmission(stored, end, clock.now());
  });
  return DONE;
}

async function submitSchedulerJobs(
  ports: WorkerPorts,
  context: SubmitContext,
  known: Pick<Resolution, 'folder' | 'mustStop' | 'isNew'> & { readonly schedulerJobs: readonly SchedulerJob[] },
): Promise<AdvanceOutcome> {
  const arrays = known.schedulerJobs.filter((job) => !isCollect(job));
  const collect = known.schedulerJobs.filter(isCollect);
  const ids = new Map<number, SchedulerJobId>();
  for (const job of [...arrays, ...collect]) {
    const resolved = await resolveSchedulerJob(ports, context, job, { ...known, arrays, ids });
    if (resolved.kind === 'pending') return resolved;
    if (resolved.id !== undefined) ids.set(job.ordinal, resolved.id);
  }
  return ids.size === 0 ? endCanceled(ports, context) : completeSubmission(ports, context, known, ids);
}

/** Everything that will ever be at the scheduler is there. */
async function completeSubmission(
  { store, jobs, clock }: WorkerPorts,
  { submission }: SubmitContext,
  { folder, mustStop }: { readonly folder: JobFolderPath; readonly mustStop: boolean },
  ids: ReadonlyMap<number, SchedulerJobId>,
): Promise<AdvanceOutcome> {
  const { jobId, lastTask } = submission;
  const arrayId = [...ids].find(([ordinal]) => !isCollect({ ordinal }))?.[1];
  const collectId = [...ids].find(([ordinal]) => isCollect({ ordinal }))?.[1];
  const isOpen = await jobs.reportBatch(jobId, { jobDir: folder, waitingReason: '', arrayId, collectId });
  // the job has ended meanwhile, and its cancel may not be on its way
  if (mustStop || !isOpen) {
    await store.change(jobId, (stored) => requestStop(stored, jobId, 'canceled', clock.now(), lastTask));
  }
  await updateSubmission(store, submission, (stored) => markSubmitted(stored, clock.now()));
  return DONE;
}
