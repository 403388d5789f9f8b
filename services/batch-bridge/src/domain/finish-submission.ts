import { arrayLogName, TASK_FILES } from '@tally/batch-helper';
import { ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from './cluster.js';
import { type FetchTime, type FolderListing, fetchFolder, listFolder } from './fetch-folder.js';
import { fetchTail } from './fetch-log.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { type JobFolderPath, jobFolderPath } from './job-folder-path.js';
import type { ObservationPorts } from './observation-ports.js';
import type { BatchOrder, ClusterSession, TaskReport } from './ports.js';
import type { SubmissionIn } from './submission.js';
import { failureText, freshRecord, type TaskRecord } from './task-record.js';

type Records = ReadonlyMap<number, TaskRecord>;

/** When this is, and until when there is time. */
export interface FinishTime extends FetchTime {
  readonly now: Date;
}

const NOTHING_MORE = 'Nothing more comes from the cluster';

/**
 * Ends a submission whose scheduler jobs are all over: takes from its folder whatever the service does not have yet, puts
 * the scheduler's own log and its word behind that of tasks that have left no end, tells why those failed, and ends it. What there is
 * no time for is done in the next round. What cannot be fetched for too long is given up.
 */
export async function finishSubmission(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  records: Records,
  time: FinishTime,
): Promise<void> {
  const { submissions, limits, logger } = ports;
  const { jobId, isDeleteWanted } = submission;
  if (isDeleteWanted) return submissions.end(jobId, { message: 'The job was deleted' }, time.now);
  const endedMs = Math.max(0, ...[...records.values()].map(({ end }) => end?.seenAt.getTime() ?? 0));
  const sinceMs = time.now.getTime() - endedMs;
  if (sinceMs < limits.failureGraceMs) return; // what was written last may come late
  try {
    if (await takeRest(ports, session, cluster, submission, records, time)) {
      return await submissions.end(jobId, { message: NOTHING_MORE }, time.now);
    }
    if (sinceMs < limits.giveUpAfterMs) return;
  } catch (err) {
    if (sinceMs < limits.giveUpAfterMs || !(err instanceof ServiceError)) throw err;
    logger.error({ err, job_id: jobId, cluster: cluster.name }, 'what a job has left on a cluster is given up');
  }
  await submissions.end(jobId, { message: `${NOTHING_MORE}; not all that was left there could be fetched` }, time.now);
}

/** @returns whether everything has been taken and told */
async function takeRest(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  records: Records,
  time: FinishTime,
): Promise<boolean> {
  const { jobId, phase, isCancelWanted } = submission;
  const order = await ports.jobs.getBatchOrder(jobId);
  if (order === undefined) return true; // deleted
  const folder = jobFolderPath(cluster, phase.username, jobId);
  const allIds = order.tasks.map(({ taskId }) => taskId);
  const listing = await listFolder(session, folder, allIds);
  const hasOwnEnd = (taskId: number): boolean => listing.get(taskId)?.has(TASK_FILES.end) === true;
  // a task that has told its end has delivered its log before; one that was canceled may have left an output
  const taskIds = order.tasks
    .filter(({ taskId, isEnded }) => !isEnded || !hasOwnEnd(taskId) || isCancelWanted)
    .map(({ taskId }) => taskId);
  const fetch = { cluster, jobId, folder, listing, order, taskIds, isLast: true };
  const { isWhole, records: fetched } = await fetchFolder(ports, session, fetch, records, time);
  if (!isWhole) return false;
  const mute = allIds.filter((taskId) => !hasOwnEnd(taskId));
  if (!(await takeTails(ports, session, { cluster, submission, folder, taskIds: mute }, fetched, time))) return false;
  if (!isCancelWanted) await tellFailures(ports, submission, order, listing, fetched);
  return true;
}

/** @returns whether there was time for all of them */
async function takeTails(
  ports: ObservationPorts,
  session: ClusterSession,
  of: {
    readonly cluster: ClusterSettings;
    readonly submission: SubmissionIn<'submitted'>;
    readonly folder: JobFolderPath;
    readonly taskIds: readonly number[];
  },
  records: Records,
  time: FinishTime,
): Promise<boolean> {
  const { cluster, submission, folder, taskIds } = of;
  const { jobId, phase } = submission;
  const left = taskIds
    .map((taskId) => records.get(taskId) ?? freshRecord(taskId))
    .filter((record) => !record.isTailStored);
  if (left.length === 0) return true;
  const done: TaskRecord[] = [];
  try {
    await session.withFiles((files) =>
      forEachAtOnce(left, ports.limits.fetchTasksMax, async (record) => {
        if (ports.clock.now() >= time.until) return;
        const { taskId } = record;
        const array = phase.jobs.find((job) => taskId >= job.firstTask && taskId < job.firstTask + job.taskCount);
        const path = array && `${folder}/${arrayLogName(array.ordinal, taskId - array.firstTask + 1)}`;
        const to = { clusterName: cluster.name, jobId, taskId };
        await fetchTail(ports, files, path, { to, offsetBytes: record.logBytes, end: failureText(record.end) });
        done.push({ ...record, isTailStored: true });
      }),
    );
  } finally {
    if (done.length > 0) await ports.tasks.save(jobId, done);
  }
  return done.length === left.length;
}

/** Why tasks failed of which jobs has no end, each in the scheduler's words. */
async function tellFailures(
  { jobs }: ObservationPorts,
  { jobId }: SubmissionIn<'submitted'>,
  order: BatchOrder,
  listing: FolderListing,
  records: Records,
): Promise<void> {
  const reports = order.tasks.flatMap(({ taskId, isEnded }): TaskReport[] => {
    const record = records.get(taskId);
    if (isEnded || record?.told === 'ended') return [];
    const isUnread = listing.get(taskId)?.has(TASK_FILES.end) === true;
    const failure = isUnread ? "The task's end could not be read" : failureText(record?.end);
    return [{ taskId, state: 'FAILED', failure }];
  });
  if (reports.length > 0) await jobs.reportBatch(jobId, { tasks: reports });
}
