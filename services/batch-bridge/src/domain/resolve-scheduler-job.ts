import { hasReason } from '@tally/service-kit';
import type { JobFolderPath } from './job-folder-path.js';
import { FIRST_INDEX, makeSchedulerJob } from './make-scheduler-job.js';
import { placePrograms } from './place-job.js';
import type { SchedulerJobId } from './scheduler.js';
import { type Later, LOOK_AGAIN_MS, type StepContext, type SubmitStepsPorts } from './step-context.js';
import { type ClusterJob, COLLECT_ORDINAL } from './submission.js';

/** What is known of a submission while its scheduler jobs are resolved. */
export interface Resolution {
  readonly folder: JobFolderPath;
  /** Nothing is to be started any more; only what may have been is looked up. */
  readonly mustStop: boolean;
  /** The folder was made in this very try, so the scheduler cannot know of anything yet. */
  readonly isNew: boolean;
  readonly arrays: readonly ClusterJob[];
  /** Ids by ordinal, as far as they are known. */
  readonly ids: ReadonlyMap<number, SchedulerJobId>;
}
export type Resolved = { readonly kind: 'id'; readonly id: SchedulerJobId | undefined } | Later;

/** The id of a scheduler job: known, found by its marker, or made now. Undefined: it is not to be made. */
export async function resolveSchedulerJob(
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
  { folder, ids, isNew }: Resolution,
  afterAny: readonly SchedulerJobId[],
): Promise<Resolved> {
  const { store, scheduler, clock, holder } = ports;
  const { cluster, session, submission } = context;
  // an earlier release of this service may have uploaded the job, and its helper
  if (!isNew) await placePrograms(ports, cluster, session, folder);
  const order = await makeSchedulerJob(ports, context, job, folder, afterAny);
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

/**
 * Ids of the arrays for a dependency, once the scheduler shows them all: one on an id that it does not know counts as
 * fulfilled. An array that it does not show for too long is lost, and nothing waits for it.
 */
async function showArrays(
  { scheduler, store, clock, limits }: SubmitStepsPorts,
  { session, submission: { jobId } }: StepContext,
  { arrays, ids }: Resolution,
): Promise<{ readonly kind: 'ids'; readonly ids: readonly SchedulerJobId[] } | Later> {
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
