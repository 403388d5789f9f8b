import { hasReason, ServiceError } from '@tally/service-kit';
import { cancelSeen, isAlive, unwantedTasks } from './cancel-on-cluster.js';
import type { ClusterSettings } from './cluster.js';
import { describeFailure } from './describe-failure.js';
import { fail } from './errors.js';
import { type FetchTime } from './fetch-folder.js';
import { fetchRunning } from './fetch-running.js';
import { finishSubmission } from './finish-submission.js';
import type { JobId } from './job-id.js';
import type { ObservationPorts } from './observation-ports.js';
import type { ClusterSession } from './ports.js';
import { reportTasks } from './report-tasks.js';
import { reportWaiting } from './report-waiting.js';
import type { Observation } from './scheduler.js';
import type { SubmissionIn } from './submission.js';
import { freshRecord, isLost, isStuckForGood, isWatched, noteObservation, type TaskRecord } from './task-record.js';
import { COLLECT_TASK_ID, sightings, targetsOf, type WatchedTask, watchedJobs, watchedTasks } from './watched-tasks.js';

/** What one look at the scheduler has shown. */
interface Look {
  readonly now: Date;
  readonly isWhole: boolean;
  seen(task: WatchedTask): Observation | undefined;
  /** Whether the controller answers a question of its own; asked once, and only before something is given up as lost. */
  isAnswering(): Promise<boolean>;
}

type Records = ReadonlyMap<number, TaskRecord>;

/**
 * One round for the submitted jobs of one user on one cluster: asks the scheduler once about all of them (one squeue, at
 * most one sacct), tells jobs what is new, repeats cancels that have not worked for long, fetches what nodes cannot deliver, and
 * ends what has ended. A fault of one job does not keep the others.
 * @param submissions - of one login name, whose connection `session` is
 * @throws ServiceError why the scheduler or the cluster could not be asked; then nothing is decided
 */
export async function observeSubmissions(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submissions: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const { clock, tasks, limits, logger } = ports;
  const jobIds = submissions.map(({ jobId }) => jobId);
  const remembered = await tasks.list(jobIds);
  const look = await lookAt(ports, session, submissions, remembered);
  ports.metrics.observed(cluster.name);
  await repeatCancels(ports, session, submissions, look);
  const time: FetchTime = { until: new Date(clock.now().getTime() + limits.fetchTimeMs) };
  for (const submission of submissions) {
    const { jobId } = submission;
    try {
      await observeOne(ports, session, cluster, submission, remembered.get(jobId) ?? new Map(), look, time);
    } catch (err) {
      if (isOfTheCluster(err)) throw err;
      logger.warn({ err, job_id: jobId, cluster: cluster.name }, 'a job on a cluster could not be followed');
      // what another service or we ourselves do wrong is nothing that the owner of a job could do anything about
      const isOfTheJob = err instanceof ServiceError && err.domain === fail.domain;
      if (isOfTheJob) await reportWaiting(ports, [submission], describeFailure(err));
    }
  }
}

/** Cancels again what a cancel some time ago has not ended. */
async function repeatCancels(
  ports: ObservationPorts,
  session: ClusterSession,
  submissions: readonly SubmissionIn<'submitted'>[],
  look: Look,
): Promise<void> {
  const before = look.now.getTime() - ports.limits.cancelRepeatMs;
  const late = submissions.filter(
    ({ phase }) => phase.cancelSentAt !== undefined && phase.cancelSentAt.getTime() <= before,
  );
  const alive = late.filter((submission) => unwantedTasks(submission).some((task) => isAlive(look.seen(task))));
  await cancelSeen(ports, session, alive.flatMap(unwantedTasks), (task) => look.seen(task));
  for (const { jobId } of alive) await ports.submissions.setCancelSent(jobId, look.now);
}

/** Faults that the next job of the same cluster would meet, too. */
function isOfTheCluster(err: unknown): boolean {
  const reasons = ['COMMAND_LOST', 'COMMAND_TIMED_OUT', 'CLUSTER_UNREACHABLE', 'SCHEDULER_UNREACHABLE'];
  return reasons.some((reason) => hasReason(err, reason));
}

async function lookAt(
  { scheduler, clock, logger }: ObservationPorts,
  session: ClusterSession,
  submissions: readonly SubmissionIn<'submitted'>[],
  remembered: ReadonlyMap<JobId, Records>,
): Promise<Look> {
  const open = submissions.flatMap((submission) => {
    const records = remembered.get(submission.jobId);
    return watchedTasks(submission).filter(({ taskId }) => isWatched(records?.get(taskId) ?? freshRecord(taskId)));
  });
  const { observations, isWhole } = await scheduler.observe(session, watchedJobs(open));
  let answering: Promise<boolean> | undefined;
  const ping = async (): Promise<boolean> => {
    try {
      await scheduler.ping(session);
      return true;
    } catch (err) {
      logger.warn({ err }, 'a scheduler shows nothing of a job, and does not answer a ping');
      return false;
    }
  };
  return {
    now: clock.now(),
    isWhole,
    seen: sightings(observations),
    isAnswering: () => {
      answering ??= ping();
      return answering;
    },
  };
}

async function observeOne(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  remembered: Records,
  look: Look,
  time: FetchTime,
): Promise<void> {
  const watched = watchedTasks(submission);
  let records = await noteLook(ports, remembered, watched, look);
  records = await endStuck(ports, session, watched, records, look);
  await saveChanged(ports, submission.jobId, remembered, records);
  if (await noteGone(ports, submission, records)) {
    await finishSubmission(ports, session, cluster, submission, records, { now: look.now, ...time });
    return reportWaiting(ports, [submission], '');
  }
  const told = await reportTasks(ports, session, cluster, submission, watched, records, look);
  await fetchRunning(ports, session, cluster, submission, told.records, time);
  if (told.waitingReason === '') await reportWaiting(ports, [submission], '');
}

/** Adds what was seen to what is known. */
async function noteLook(
  { limits }: ObservationPorts,
  remembered: Records,
  watched: readonly WatchedTask[],
  look: Look,
): Promise<Records> {
  const records = new Map(remembered);
  for (const task of watched) {
    const noted = noteObservation(records.get(task.taskId) ?? freshRecord(task.taskId), look.seen(task), look);
    const isGivenUp = look.isWhole && isLost(noted, look.now, limits.lostAfterMs) && (await look.isAnswering());
    records.set(task.taskId, isGivenUp ? endAsLost(noted, look.now) : noted);
  }
  return records;
}

function endAsLost(record: TaskRecord, now: Date): TaskRecord {
  const description = 'The scheduler of the cluster does not know the task any more, and the task has left no result';
  return { ...record, end: { outcome: 'lost', description, seenAt: now } };
}

/** Cancels what the scheduler has held for too long, and takes it for failed. */
async function endStuck(
  { scheduler, limits }: ObservationPorts,
  session: ClusterSession,
  watched: readonly WatchedTask[],
  records: Records,
  look: Look,
): Promise<Records> {
  const isOver = (record: TaskRecord | undefined): boolean =>
    record !== undefined && isStuckForGood(record, look.now, limits.stuckAfterMs);
  const stuck = watched.filter((task) => look.seen(task) !== undefined && isOver(records.get(task.taskId)));
  if (stuck.length === 0) return records;
  await scheduler.cancel(session, targetsOf(stuck, { isWhole: false }));
  const after = new Map(records);
  for (const task of stuck) {
    const record = records.get(task.taskId) ?? freshRecord(task.taskId);
    const description = `${look.seen(task)?.description ?? 'PENDING'} (it could never have started, and was canceled)`;
    after.set(task.taskId, { ...record, end: { outcome: 'failed', description, seenAt: look.now } });
  }
  return after;
}

async function saveChanged({ tasks }: ObservationPorts, jobId: JobId, before: Records, after: Records): Promise<void> {
  const changed = [...after.values()].filter((record) => {
    const known = before.get(record.taskId) ?? freshRecord(record.taskId);
    return JSON.stringify(known) !== JSON.stringify(record);
  });
  if (changed.length > 0) await tasks.save(jobId, changed);
}

/** Notes scheduler jobs all of whose tasks have ended. @returns whether that is true of all there are */
async function noteGone(
  { submissions }: ObservationPorts,
  { jobId, phase }: SubmissionIn<'submitted'>,
  records: Records,
): Promise<boolean> {
  let hasEnded = true;
  for (const { ordinal, firstTask, taskCount, state } of phase.jobs) {
    if (state.kind === 'lost' || state.kind === 'ended') continue;
    const taskIds = taskCount === 0 ? [COLLECT_TASK_ID] : Array.from({ length: taskCount }, (_, i) => firstTask + i);
    const ends = taskIds.flatMap((taskId) => records.get(taskId)?.end ?? []);
    if (state.kind !== 'known' || ends.length < taskIds.length) {
      hasEnded = false;
      continue;
    }
    const isLostWhole = ends.every(({ outcome }) => outcome === 'lost');
    await submissions.setGone(jobId, ordinal, isLostWhole ? 'lost' : { description: summary(ends) });
  }
  return hasEnded;
}

/** `completed 497, failed 3` */
function summary(ends: readonly { readonly outcome: string }[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of ends) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
}
