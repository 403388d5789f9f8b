import { arrayLogName, COLLECT_LOG_NAME } from '@tally/batch-helper';
import { type Clock, hasReason, type Logger } from '@tally/service-kit';
import type { ClusterSettings } from './cluster.js';
import { fail } from './errors.js';
import { type JobFolderPath, jobFolderPath } from './job-folder-path.js';
import { helperCommand, type PlaceJobPorts, placeJob } from './place-job.js';
import { planJobs } from './plan-jobs.js';
import type { BatchOrder, ClusterSession, Jobs, SubmissionIntents, SubmissionStore } from './ports.js';
import type { NodeProgram, Scheduler, SchedulerJob, SchedulerJobId } from './scheduler.js';
import { type ClusterJob, COLLECT_ORDINAL, type JobId, markerOf, type Submission } from './submission.js';

/** Limits of submissions. */
export interface SubmissionLimits {
  /** How long the scheduler may not show what an unanswered sbatch may have made, milliseconds. */
  readonly markerGraceMs: number;
  /** A job that has an id and is not shown for this long is lost, milliseconds. */
  readonly lostAfterMs: number;
  /** Before its time limit a task is told to end, seconds. */
  readonly warningSeconds: number;
  readonly collectWallTimeSeconds: number;
  readonly collectMemoryMib: number;
}

/** What {@link takeSteps} needs. */
export interface SubmitStepsPorts extends PlaceJobPorts {
  readonly store: SubmissionStore;
  readonly intents: SubmissionIntents;
  readonly jobs: Jobs;
  readonly scheduler: Scheduler;
  readonly limits: SubmissionLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name under which this copy of the service holds the lease of the cluster. */
  readonly holder: string;
}

/** A submission being worked on. */
export interface StepContext {
  readonly cluster: ClusterSettings;
  readonly session: ClusterSession;
  /** Login name of the session. */
  readonly username: string;
  readonly submission: Submission;
  /** Called before the scheduler may first know anything of it. */
  readonly onReachingScheduler: () => void;
}

/** `later`: nothing is wrong, but the scheduler has to be asked again after so long. */
export type StepOutcome = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

const DONE: StepOutcome = { kind: 'done' };
/** How often the scheduler is asked for what it should show, milliseconds; sacct is up to 2.3 s behind. */
const LOOK_AGAIN_MS = 2_000;
/** Index of the first task in an array. */
const FIRST_INDEX = 1;
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

interface JobsToSubmit {
  readonly folder: JobFolderPath;
  /** Nothing is to be started any more; only what may have been is looked up. */
  readonly mustStop: boolean;
  /** The folder was made in this very try, so the scheduler cannot know of anything yet. */
  readonly isNew: boolean;
  readonly jobs: readonly ClusterJob[];
}

async function submitJobs(
  ports: SubmitStepsPorts,
  context: StepContext,
  { folder, mustStop, isNew, jobs }: JobsToSubmit,
): Promise<StepOutcome> {
  const ids = new Map<number, SchedulerJobId>();
  const inOrder = [...jobs].sort((a, b) => (a.ordinal || Infinity) - (b.ordinal || Infinity)); // the collect job last
  for (const job of inOrder) {
    const arrays = inOrder.filter(({ ordinal }) => ordinal !== COLLECT_ORDINAL);
    const resolved = await resolve(ports, context, job, { folder, mustStop, isNew, arrays, ids });
    if (resolved.kind === 'later') return resolved;
    if (resolved.id !== undefined) ids.set(job.ordinal, resolved.id);
  }
  return finish(ports, context, { folder, mustStop, ids });
}

interface Resolution extends Omit<JobsToSubmit, 'jobs'> {
  readonly arrays: readonly ClusterJob[];
  /** Ids by ordinal, as far as they are known. */
  readonly ids: ReadonlyMap<number, SchedulerJobId>;
}
type Resolved =
  | { readonly kind: 'id'; readonly id: SchedulerJobId | undefined }
  | Extract<StepOutcome, { kind: 'later' }>;

/** The id of a scheduler job: known, found by its marker, or made now. Undefined: it is not to be made. */
async function resolve(
  ports: SubmitStepsPorts,
  context: StepContext,
  job: ClusterJob,
  resolution: Resolution,
): Promise<Resolved> {
  const { clock, limits } = ports;
  const { state } = job;
  if (state.kind !== 'planned' && state.kind !== 'attempted') return { kind: 'id', id: state.id };
  if (!resolution.isNew) {
    const found = await findByMarker(ports, context, job);
    if (found !== undefined) return { kind: 'id', id: found };
  }
  if (state.kind === 'attempted') {
    const leftMs = state.attemptedAt.getTime() + limits.markerGraceMs - clock.now().getTime();
    if (leftMs > 0) return { kind: 'later', afterMs: Math.min(leftMs, LOOK_AGAIN_MS) };
  }
  if (resolution.mustStop) return { kind: 'id', id: undefined };
  if (job.ordinal !== COLLECT_ORDINAL) return submit(ports, context, job, resolution, []);
  const shown = await showArrays(ports, context, resolution);
  return shown.kind === 'later' ? shown : submit(ports, context, job, resolution, shown.ids);
}

/** Looks a marker up; what was submitted twice all the same is reduced to the first. */
async function findByMarker(
  { scheduler, store, clock, logger }: SubmitStepsPorts,
  { session, submission: { jobId } }: StepContext,
  { ordinal, marker }: ClusterJob,
): Promise<SchedulerJobId | undefined> {
  const [id, ...others] = await scheduler.find(session, marker);
  if (id === undefined) return undefined;
  if (others.length > 0) {
    logger.error(
      { job_id: jobId, marker, ids: [id, ...others] },
      'submitted more than once; the later ones are canceled',
    );
    await scheduler.cancel(
      session,
      others.map((other) => ({ id: other })),
    );
  }
  await store.setKnown(jobId, ordinal, id, clock.now());
  return id;
}

/** Calls sbatch, and notes before that it is about to: should the answer be lost, the marker tells. */
async function submit(
  ports: SubmitStepsPorts,
  context: StepContext,
  job: ClusterJob,
  { folder, ids }: Resolution,
  afterAny: readonly SchedulerJobId[],
): Promise<Resolved> {
  const { store, scheduler, clock, holder } = ports;
  const { session, submission } = context;
  const order = await schedulerJob(ports, context, job, folder, afterAny);
  context.onReachingScheduler();
  const before = job.state.kind === 'attempted' ? { before: job.state.attemptedAt } : {};
  const isOurs = await store.noteAttempt(submission.jobId, job.ordinal, { holder, now: clock.now(), ...before });
  if (!isOurs) return { kind: 'later', afterMs: LOOK_AGAIN_MS };
  try {
    const id = await scheduler.submit(session, order);
    await store.setKnown(submission.jobId, job.ordinal, id, clock.now());
    return { kind: 'id', id };
  } catch (err) {
    if (!hasReason(err, 'SCHEDULER_REFUSED')) throw err;
    // words that are not known to mean "no answer" may mean it all the same
    const found = await findByMarker(ports, context, job);
    if (found !== undefined) return { kind: 'id', id: found };
    // it will never be whole: what was submitted of it is to end, too
    await scheduler.cancel(
      session,
      [...ids.values()].map((id) => ({ id })),
    );
    throw err;
  }
}

async function schedulerJob(
  { scheduler, programs, limits }: SubmitStepsPorts,
  { cluster, submission }: StepContext,
  { ordinal, marker, firstTask, taskCount }: ClusterJob,
  folder: JobFolderPath,
  afterAny: readonly SchedulerJobId[],
): Promise<SchedulerJob> {
  const helper = helperCommand(cluster, folder, await programs.find());
  const isCollect = ordinal === COLLECT_ORDINAL;
  const { options } = submission;
  const partition = cluster.partitions.find(({ name }) => name === options.partition);
  const { wallTimeSecondsMax = limits.collectWallTimeSeconds, memoryMibMax = limits.collectMemoryMib } =
    partition ?? {};
  const chosen = isCollect
    ? {
        ...options,
        wallTimeSeconds: Math.min(limits.collectWallTimeSeconds, wallTimeSecondsMax),
        memoryMib: Math.min(limits.collectMemoryMib, memoryMibMax),
      }
    : options;
  const program: NodeProgram = isCollect
    ? { argv: [...helper, 'collect', '--folder', folder] }
    : { argv: [...helper, 'run', '--folder', folder, '--task'], taskOffset: firstTask - 1 };
  return {
    marker,
    folder,
    script: scheduler.writeScript(program),
    logName: isCollect ? COLLECT_LOG_NAME : arrayLogName(ordinal, '%a'),
    // half of a short job's time is enough
    warningSeconds: Math.min(limits.warningSeconds, Math.floor(chosen.wallTimeSeconds / 2)),
    options: chosen,
    ...(isCollect ? { afterAny } : { array: { first: FIRST_INDEX, last: taskCount } }),
  };
}

/**
 * Ids of the arrays for a dependency, once the scheduler shows them all: one on an id that it does not know counts as
 * fulfilled. An array that it does not show for too long is lost, and nothing waits for it.
 */
async function showArrays(
  { scheduler, store, clock, limits }: SubmitStepsPorts,
  { session, submission: { jobId } }: StepContext,
  { arrays, ids }: Resolution,
): Promise<
  { readonly kind: 'ids'; readonly ids: readonly SchedulerJobId[] } | Extract<StepOutcome, { kind: 'later' }>
> {
  const waitedFor = arrays.flatMap(({ ordinal, marker, state }) => {
    const id = ids.get(ordinal);
    const isOver = state.kind === 'lost' || state.kind === 'ended';
    const knownMs = state.kind === 'known' ? state.knownAt.getTime() : clock.now().getTime();
    return id === undefined || isOver ? [] : [{ ordinal, marker, id, knownMs }];
  });
  // one of its tasks shows that an array is known
  const watched = waitedFor.map(({ id, marker }) => ({ id, marker, indices: [FIRST_INDEX] }));
  const view = await scheduler.observe(session, watched);
  const shown = new Set(view.observations.map(({ schedulerJobId }) => schedulerJobId));
  for (const { ordinal, id, knownMs } of waitedFor.filter((array) => !shown.has(array.id))) {
    const isLost = view.isWhole && clock.now().getTime() - knownMs >= limits.lostAfterMs;
    if (!isLost) return { kind: 'later', afterMs: LOOK_AGAIN_MS };
    await store.setGone(jobId, ordinal, 'lost');
    shown.delete(id);
  }
  return { kind: 'ids', ids: waitedFor.flatMap(({ id }) => (shown.has(id) ? [id] : [])) };
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
