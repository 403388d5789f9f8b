import { hasReason, ServiceError } from '@tally/service-kit';
import { isAlive, shownTargets, storeCancelSent, tasksToCancel, tryCancel } from '../clean/cancel-on-cluster.js';
import type { ClusterSettings } from '../cluster/cluster.js';
import { describeError } from '../describe-error.js';
import { fail } from '../errors.js';
import { fetchRunning } from '../fetch/fetch-running.js';
import { finishSubmission } from '../fetch/finish-submission.js';
import type { JobId } from '../job-id.js';
import type { ClusterSession, WorkerPorts } from '../ports.js';
import type { NamedJob } from '../scheduler.js';
import type { SubmissionIn } from '../submission.js';
import { setSchedulerJobs, updateSubmission } from '../submission-state.js';
import { endSurplus } from './end-surplus.js';
import { endedSchedulerJobs } from './ended-scheduler-jobs.js';
import { reportTasks } from './report-tasks.js';
import { reportWaiting } from './report-waiting.js';
import { resubmitLost } from './resubmit-lost.js';
import {
  applyObservation,
  isLost,
  isStuckTooLong,
  mustPoll,
  recordOf,
  type SchedulerEnd,
  type TaskRecord,
  type TaskRecords,
} from './task-record.js';
import {
  type FindObservation,
  observationsByTask,
  queriesOf,
  type TrackedTask,
  targetsOf,
  trackedTasks,
} from './tracked-tasks.js';

const HOUR_MS = 3_600_000;

/** What a poll of the scheduler has shown. */
interface Snapshot {
  readonly now: Date;
  readonly observed: FindObservation;
  /** All jobs of the user that have not ended. */
  readonly open: readonly NamedJob[];
}

/**
 * One round for the submitted jobs of one user on one cluster: asks the scheduler once about all of them (one squeue, at
 * most one sacct), reports news to jobs, repeats cancels that have not worked for long, fetches what nodes cannot deliver,
 * and ends what has ended. An error of one job does not keep the others.
 * @param submissions - of one login name, whose connection `session` is
 * @throws ServiceError why the scheduler or the cluster could not be asked; then nothing is decided
 */
export async function observeSubmissions(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submissions: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const { clock, tasks, limits, logger } = ports;
  const remembered = await tasks.list(submissions.map(({ jobId }) => jobId));
  const snapshot = await poll(ports, session, submissions, remembered);
  ports.metrics.polled(cluster.name);
  await endSurplus(ports, session, submissions, snapshot);
  await repeatCancels(ports, session, submissions, snapshot);
  const fetchUntil = new Date(clock.now().getTime() + limits.fetchTimeMs);
  for (const submission of submissions) {
    const { jobId } = submission;
    const records: TaskRecords = remembered.get(jobId) ?? new Map();
    try {
      await observeOne(ports, session, cluster, submission, records, snapshot, fetchUntil);
    } catch (err) {
      if (isOfTheCluster(err)) throw err;
      logger.warn({ err, job_id: jobId, cluster: cluster.name }, 'a job on a cluster could not be observed');
      // what this service or another does wrong is nothing that the owner of a job could do anything about
      const isOfTheJob = err instanceof ServiceError && err.domain === fail.domain;
      if (isOfTheJob) await reportWaiting(ports, [submission], describeError(err));
    }
  }
}

/** Cancels again what a cancel some time ago has not ended. */
async function repeatCancels(
  ports: WorkerPorts,
  session: ClusterSession,
  submissions: readonly SubmissionIn<'submitted'>[],
  { now, observed }: Snapshot,
): Promise<void> {
  const before = now.getTime() - ports.limits.cancelRepeatMs;
  const overdue = submissions.filter(
    (submission) =>
      (submission.phase.cancelSentAt?.getTime() ?? Infinity) <= before &&
      tasksToCancel(submission).some((task) => isAlive(task, observed)),
  );
  const targets = shownTargets(overdue.flatMap(tasksToCancel), observed);
  if (await tryCancel(ports, session, targets)) await storeCancelSent(ports, overdue, now);
}

/** Errors that the next job of the same cluster would meet, too. */
function isOfTheCluster(err: unknown): boolean {
  const reasons = ['COMMAND_LOST', 'COMMAND_TIMED_OUT', 'CLUSTER_UNREACHABLE', 'SCHEDULER_UNREACHABLE'];
  return reasons.some((reason) => hasReason(err, reason));
}

async function poll(
  { scheduler, clock }: WorkerPorts,
  session: ClusterSession,
  submissions: readonly SubmissionIn<'submitted'>[],
  remembered: ReadonlyMap<JobId, TaskRecords>,
): Promise<Snapshot> {
  const asked = submissions.flatMap((submission) => {
    const records = remembered.get(submission.jobId);
    return trackedTasks(submission).filter(({ taskId }) => mustPoll(recordOf(records, taskId)));
  });
  const { observations, open } = await scheduler.observe(session, queriesOf(asked));
  return { now: clock.now(), observed: observationsByTask(observations), open };
}

async function observeOne(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  remembered: TaskRecords,
  snapshot: Snapshot,
  fetchUntil: Date,
): Promise<void> {
  const { jobId, phase } = submission;
  const tracked = trackedTasks(submission);
  const records = await assessTasks(ports, session, tracked, remembered, snapshot);
  const { schedulerJobs } = phase.remoteJob;
  const ended = endedSchedulerJobs(schedulerJobs, records);
  const changed = [...records.values()].filter((record) => isChanged(record, remembered));
  if (changed.length > 0) await ports.tasks.save(jobId, changed);
  if (await resubmitLost(ports, session, cluster, submission, records, ended)) return;
  if (ended.size > 0) await updateSubmission(ports.store, submission, (stored) => setSchedulerJobs(stored, ended));
  if (
    schedulerJobs.every(({ ordinal, state }) => state.kind === 'lost' || state.kind === 'ended' || ended.has(ordinal))
  ) {
    await finishSubmission(ports, session, cluster, submission, records, { now: snapshot.now, fetchUntil });
    return reportWaiting(ports, [submission], '');
  }
  const reported = await reportTasks(ports, session, cluster, submission, tracked, records, snapshot);
  await fetchRunning(ports, session, cluster, submission, reported.records, fetchUntil);
  if (reported.waitingReason === '') await reportWaiting(ports, [submission], '');
}

const isChanged = (record: TaskRecord, before: TaskRecords): boolean =>
  JSON.stringify(recordOf(before, record.taskId)) !== JSON.stringify(record);

/** Records after a poll. Tasks that are lost have failed, as have those that were stuck for too long, which are canceled. */
async function assessTasks(
  ports: WorkerPorts,
  session: ClusterSession,
  tracked: readonly TrackedTask[],
  remembered: TaskRecords,
  snapshot: Snapshot,
): Promise<TaskRecords> {
  const { limits } = ports;
  const { now, observed } = snapshot;
  const records = new Map(remembered);
  for (const task of tracked) {
    const { taskId } = task;
    records.set(taskId, applyObservation(recordOf(remembered, taskId), observed(task), now));
  }
  const end = ({ taskId }: TrackedTask, outcome: SchedulerEnd['outcome'], description: string) =>
    records.set(taskId, { ...recordOf(records, taskId), end: { outcome, description, observedAt: now } });
  const lost = lostTasks(tracked, records, snapshot, limits.lostAfterMs);
  for (const task of lost) end(task, 'lost', LOST);
  const stuck = tracked.filter(
    (task) =>
      observed(task) !== undefined &&
      isStuckTooLong(recordOf(records, task.taskId), now, limits.stuckHoursMax * HOUR_MS),
  );
  const isCanceled = await tryCancel(ports, session, targetsOf(stuck, { isWholeArrays: false }));
  for (const task of isCanceled ? stuck : []) {
    end(task, 'failed', `${observed(task)?.description ?? ''} (it could never have started, and was canceled)`);
  }
  return records;
}

/** Tasks that the scheduler has lost. One that has not begun may be submitted again: when the rest of its array is over. */
function lostTasks(
  tracked: readonly TrackedTask[],
  records: TaskRecords,
  { now }: Snapshot,
  lostAfterMs: number,
): TrackedTask[] {
  const isGone = ({ taskId }: TrackedTask) => isLost(recordOf(records, taskId), now, lostAfterMs);
  const isOpen = (task: TrackedTask) => recordOf(records, task.taskId).end === undefined && !isGone(task);
  const openArrays = new Set(tracked.filter(isOpen).map(({ ordinal }) => ordinal));
  const mayBegin = ({ taskId, ordinal }: TrackedTask) =>
    openArrays.has(ordinal) && recordOf(records, taskId).reported === 'nothing';
  return tracked.filter((task) => isGone(task) && !mayBegin(task));
}

const LOST = 'The scheduler of the cluster does not know the task any more, and the task has left no result';
