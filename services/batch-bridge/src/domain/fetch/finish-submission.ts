import { arrayLogName, TASK_FILES } from '@tally/batch-helper';
import { ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from '../cluster/cluster.js';
import { type JobFolderPath, jobFolderPath } from '../job-folder-path.js';
import {
  failureText,
  recordOf,
  type TaskRecord,
  type TaskRecords,
  writeSchedulerFailure,
} from '../observe/task-record.js';
import type { ClusterSession, TaskReport, WorkerPorts } from '../ports.js';
import type { SubmissionIn } from '../submission.js';
import { endSubmission, updateSubmission } from '../submission-state.js';
import { type FolderListing, fetchFolder, listFolder } from './fetch-folder.js';
import { fetchSchedulerLog } from './fetch-log.js';
import { forEachAtOnce } from './for-each-at-once.js';

const HOUR_MS = 3_600_000;
const NOTHING_MORE = 'Nothing more comes from the cluster';

/**
 * Ends a submission whose scheduler jobs are all over: takes from its folder whatever the service does not have yet,
 * appends the scheduler's own log and reason to that of tasks that have left no end, reports why those failed, and ends it. What there
 * is no time for is done in the next round. What cannot be fetched for too long is given up.
 */
export async function finishSubmission(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  records: TaskRecords,
  { now, fetchUntil }: { readonly now: Date; readonly fetchUntil: Date },
): Promise<void> {
  const { store, limits, logger } = ports;
  const { jobId, desired } = submission;
  const end = async (message: string): Promise<void> => {
    await updateSubmission(store, submission, (stored) => endSubmission(stored, { message }, now));
  };
  if (desired === 'deleted') return end('The job was deleted');
  const ends = [...records.values()].map((record) => record.end?.observedAt.getTime() ?? 0);
  const sinceMs = now.getTime() - Math.max(0, ...ends);
  if (sinceMs < limits.failureGraceMs) return; // what was written last may come late
  const isGivenUp = sinceMs >= limits.fetchHoursMax * HOUR_MS;
  try {
    if (await fetchRemaining(ports, session, cluster, submission, records, fetchUntil)) return await end(NOTHING_MORE);
    if (!isGivenUp) return;
  } catch (err) {
    if (!isGivenUp || !(err instanceof ServiceError)) throw err;
    logger.error({ err, job_id: jobId, cluster: cluster.name }, 'what a job has left on a cluster is given up');
  }
  await end(`${NOTHING_MORE}; not all that was left there could be fetched`);
}

/** @returns whether everything has been fetched and reported */
async function fetchRemaining(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  records: TaskRecords,
  until: Date,
): Promise<boolean> {
  const { jobId, phase, desired, firstTask, lastTask } = submission;
  const { username } = phase.remoteJob;
  const state = await ports.jobs.getState(jobId);
  if (state === undefined) return true; // deleted
  const folder = jobFolderPath(cluster, username, jobId);
  const allIds = Array.from({ length: lastTask - firstTask + 1 }, (_, i) => firstTask + i);
  const listing = await listFolder(session, folder, allIds);
  const hasEndFile = (taskId: number): boolean => listing.get(taskId)?.has(TASK_FILES.end) === true;
  // a task whose end is reported has delivered its log before; one that was canceled may have left an output
  const taskIds = allIds.filter((taskId) => !state.endedTasks.has(taskId) || !hasEndFile(taskId) || desired !== 'run');
  const fetch = { cluster, jobId, folder, listing, state, taskIds, isLast: true };
  const { isComplete, records: fetched } = await fetchFolder(ports, session, fetch, records, until);
  if (!isComplete) return false;
  const withoutEnd = allIds
    .filter((taskId) => !hasEndFile(taskId))
    .map((taskId) => recordOf(fetched, taskId))
    .filter((record) => !record.isTailStored);
  if (!(await fetchSchedulerLogs(ports, session, submission, folder, withoutEnd, until))) return false;
  const openIds = desired === 'run' ? allIds.filter((taskId) => !state.endedTasks.has(taskId)) : [];
  await reportFailures(ports, submission, openIds, listing, fetched);
  return true;
}

/** @returns whether there was time for all of them */
async function fetchSchedulerLogs(
  ports: WorkerPorts,
  session: ClusterSession,
  { jobId, clusterName, phase }: SubmissionIn<'submitted'>,
  folder: JobFolderPath,
  records: readonly TaskRecord[],
  until: Date,
): Promise<boolean> {
  if (records.length === 0) return true;
  const done: TaskRecord[] = [];
  try {
    await session.withFiles((files) =>
      forEachAtOnce(records, ports.limits.fetchTasksMax, async (record) => {
        if (ports.clock.now() >= until) return;
        const { taskId } = record;
        const array = phase.remoteJob.schedulerJobs.findLast(
          ({ firstTask, taskCount }) => taskId >= firstTask && taskId < firstTask + taskCount,
        );
        const path = array && `${folder}/${arrayLogName(array.ordinal, taskId - array.firstTask + 1)}`;
        const after = { offsetBytes: record.logBytes, end: failureText(record.end) };
        await fetchSchedulerLog(ports, files, path, { clusterName, jobId, taskId }, after);
        done.push({ ...record, isTailStored: true });
      }),
    );
  } finally {
    if (done.length > 0) await ports.tasks.save(jobId, done);
  }
  return done.length === records.length;
}

/** Why tasks failed whose end jobs does not have, with the scheduler's reason. */
async function reportFailures(
  { jobs }: WorkerPorts,
  { jobId }: SubmissionIn<'submitted'>,
  openIds: readonly number[],
  listing: FolderListing,
  records: TaskRecords,
): Promise<void> {
  const tasks = openIds.flatMap((taskId): TaskReport[] => {
    const record = recordOf(records, taskId);
    if (record.reported === 'ended') return [];
    const isUnreadable = listing.get(taskId)?.has(TASK_FILES.end) === true;
    const failure = isUnreadable
      ? "OUTPUT_UNREADABLE: The task's end could not be read"
      : writeSchedulerFailure(record.end);
    return [{ taskId, state: 'FAILED', failure }];
  });
  if (tasks.length > 0) await jobs.reportBatch(jobId, { tasks });
}
