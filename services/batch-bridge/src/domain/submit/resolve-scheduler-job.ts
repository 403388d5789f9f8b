import { ServiceError } from '@tally/service-kit';
import { describeError } from '../describe-error.js';
import { fail } from '../errors.js';
import type { JobFolderPath } from '../job-folder-path.js';
import type { WorkerPorts } from '../ports.js';
import type { SchedulerJobId } from '../scheduler.js';
import { isCollect, markerOf, type SchedulerJob, type SchedulerJobState, type Submission } from '../submission.js';
import { attemptSchedulerJob, remoteJobOf, setSchedulerJobs, updateSubmission } from '../submission-state.js';
import { buildSchedulerJob, FIRST_INDEX } from './build-scheduler-job.js';
import { writeSubmissionLog } from './submission-log.js';
import { type Pending, POLL_INTERVAL_MS, type SubmitContext } from './submit-context.js';
import { uploadPrograms } from './upload-job.js';

/** What is known of a submission while its scheduler jobs are resolved. */
export interface Resolution {
  readonly folder: JobFolderPath;
  /** Nothing is to be started any more; only what may have been is looked up. */
  readonly mustStop: boolean;
  /** The folder was made in this very attempt, so the scheduler cannot know of anything yet. */
  readonly isNew: boolean;
  readonly arrays: readonly SchedulerJob[];
  /** Ids by ordinal, as far as they are known. */
  readonly ids: ReadonlyMap<number, SchedulerJobId>;
}
export type Resolved = { readonly kind: 'id'; readonly id: SchedulerJobId | undefined } | Pending;

/** The id of a scheduler job: known, found by its marker, or submitted now. Undefined: it is not to be submitted. */
export async function resolveSchedulerJob(
  ports: WorkerPorts,
  context: SubmitContext,
  job: SchedulerJob,
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
    if (leftMs > 0) return { kind: 'pending', pollAfterMs: Math.min(leftMs, POLL_INTERVAL_MS) };
  }
  if (resolution.mustStop) return { kind: 'id', id: undefined };
  if (!isCollect(job)) return submit(ports, context, job, resolution, []);
  const dependency = await resolveDependency(ports, context, resolution);
  return dependency.kind === 'pending' ? dependency : submit(ports, context, job, resolution, dependency.ids);
}

async function setState(
  { store }: WorkerPorts,
  submission: Submission,
  ordinal: number,
  state: SchedulerJobState,
): Promise<Submission> {
  return updateSubmission(store, submission, (stored) => setSchedulerJobs(stored, new Map([[ordinal, state]])));
}

/** Looks a marker up; what was submitted twice all the same is reduced to the first. */
async function findByMarker(
  ports: WorkerPorts,
  { session, submission }: SubmitContext,
  { ordinal }: SchedulerJob,
): Promise<SchedulerJobId | undefined> {
  const { jobId } = submission;
  const { scheduler, clock, logger } = ports;
  const ids = await scheduler.find(session, markerOf(jobId, ordinal));
  const [id, ...duplicates] = ids;
  if (id === undefined) return undefined;
  if (duplicates.length > 0) {
    logger.error({ job_id: jobId, ordinal, ids }, 'submitted more than once; the later ones are canceled');
    await scheduler.cancel(
      session,
      duplicates.map((duplicate) => ({ id: duplicate })),
    );
  }
  await setState(ports, submission, ordinal, { kind: 'known', id, knownAt: clock.now() });
  return id;
}

/** Calls sbatch, and stores before that it is about to: should the answer be lost, the job is found by its marker. */
async function submit(
  ports: WorkerPorts,
  context: SubmitContext,
  job: SchedulerJob,
  { folder, ids, isNew }: Resolution,
  afterAny: readonly SchedulerJobId[],
): Promise<Resolved> {
  const { store, scheduler, clock, holder, logger } = ports;
  const { cluster, session, submission } = context;
  const { jobId } = submission;
  // an earlier release of this service may have uploaded the job, and its helper
  if (!isNew) await uploadPrograms(ports, cluster, session, folder);
  const spec = await buildSchedulerJob(ports, context, job, folder, afterAny);
  context.onContactScheduler();
  const isAllowed = await store.change(jobId, (stored, lease) =>
    attemptSchedulerJob(stored, lease, job, { holder, now: clock.now() }),
  );
  if (!isAllowed) return { kind: 'pending', pollAfterMs: POLL_INTERVAL_MS };
  let id: SchedulerJobId;
  try {
    id = await scheduler.submit(session, spec);
  } catch (err) {
    return afterFailure(ports, context, job, ids, err);
  }
  const stored = await setState(ports, submission, job.ordinal, { kind: 'known', id, knownAt: clock.now() });
  const kept = remoteJobOf(stored.phase)?.schedulerJobs.find(({ ordinal }) => ordinal === job.ordinal)?.state;
  if (kept !== undefined && 'id' in kept && kept.id === id) return { kind: 'id', id };
  // this copy was suspended right before the call, and another one has taken over: what it has stored counts
  logger.error({ job_id: jobId, ordinal: job.ordinal, id }, 'submitted by a copy that had lost the cluster; canceled');
  await scheduler.cancel(session, [{ id }]);
  return { kind: 'pending', pollAfterMs: POLL_INTERVAL_MS };
}

/**
 * An sbatch that failed. Whatever it said, the scheduler may have the job all the same. If not, a refusal is final at once where
 * nothing of the job was taken before, and otherwise when it is said twice in a row. The collect job is not worth the arrays: without
 * it, this service delivers what tasks have left.
 */
async function afterFailure(
  ports: WorkerPorts,
  context: SubmitContext,
  job: SchedulerJob,
  taken: Resolution['ids'],
  err: unknown,
): Promise<Resolved> {
  if (!(err instanceof ServiceError)) throw err;
  const { message, reason } = err;
  const isRefusal = reason === 'SCHEDULER_REFUSED' || reason === 'SCHEDULER_DENIED';
  const found = await findByMarker(ports, context, job).catch((cause: unknown) => {
    throw isRefusal ? cause : err; // a refusal counts only where nothing is there
  });
  if (found !== undefined) return { kind: 'id', id: found };
  if (!isRefusal) throw err;
  const isSaidAgain = describeError(err) === context.submission.waitingReason;
  const isFinal = isSaidAgain || (reason === 'SCHEDULER_REFUSED' && taken.size === 0);
  if (!isFinal) throw fail('SCHEDULER_DENIED', { message });
  if (!isCollect(job)) throw fail('SCHEDULER_REFUSED', { message });
  await writeSubmissionLog(ports, context.submission, `${message}. That was the collect job: the tasks run without it`);
  return { kind: 'id', id: undefined };
}

/**
 * Ids of the arrays for a dependency, once the scheduler shows them all: one on an id that it does not know counts as
 * fulfilled. Nothing waits for an array that it does not show for too long: what becomes of that is seen by polling.
 */
async function resolveDependency(
  ports: WorkerPorts,
  { session, submission }: SubmitContext,
  { arrays, ids }: Resolution,
): Promise<{ readonly kind: 'ids'; readonly ids: readonly SchedulerJobId[] } | Pending> {
  const { scheduler, clock, limits } = ports;
  const { jobId } = submission;
  const open = arrays.flatMap(({ ordinal, state }) => {
    const id = ids.get(ordinal);
    const isOver = state.kind === 'lost' || state.kind === 'ended';
    return id === undefined || isOver ? [] : [{ ordinal, id, state }];
  });
  // one of its tasks shows that an array is known
  const queries = open.map(({ id, ordinal }) => ({ id, marker: markerOf(jobId, ordinal), indices: [FIRST_INDEX] }));
  const { observations } = await scheduler.observe(session, queries);
  const shown = new Set(observations.map(({ schedulerJobId }) => schedulerJobId));
  const mustWait = open.some(({ id, state }) => {
    const hiddenMs = state.kind === 'known' ? clock.now().getTime() - state.knownAt.getTime() : 0;
    return !shown.has(id) && hiddenMs < limits.lostAfterMs;
  });
  if (mustWait) return { kind: 'pending', pollAfterMs: POLL_INTERVAL_MS };
  return { kind: 'ids', ids: open.flatMap(({ id }) => (shown.has(id) ? [id] : [])) };
}
