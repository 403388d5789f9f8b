import { TASK_FILES, type TaskFile } from '@tally/batch-helper';
import type { ClusterSettings } from './cluster.js';
import { type FetchTime, fetchFolder, listFolder } from './fetch-folder.js';
import { jobFolderPath } from './job-folder-path.js';
import type { ObservationPorts } from './observation-ports.js';
import type { ClusterSession } from './ports.js';
import type { FoundFile } from './remote-files.js';
import type { SubmissionIn } from './submission.js';
import { freshRecord, type TaskRecord } from './task-record.js';
import { COLLECT_TASK_ID } from './watched-tasks.js';

/**
 * Where nodes cannot reach the gateway: fetches what tasks have written since the last time, and tells it. One listing
 * for the job; only files with news are read.
 */
export async function fetchRunning(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  { jobId, phase, isCancelWanted, isDeleteWanted }: SubmissionIn<'submitted'>,
  records: ReadonlyMap<number, TaskRecord>,
  time: FetchTime,
): Promise<void> {
  if (cluster.isReachingGateway || isCancelWanted || isDeleteWanted || ports.clock.now() >= time.until) return;
  const open = [...records.values()].filter(
    ({ taskId, told, end }) =>
      taskId !== COLLECT_TASK_ID && told !== 'ended' && (told === 'running' || end !== undefined),
  );
  if (open.length === 0) return;
  const folder = jobFolderPath(cluster, phase.username, jobId);
  const openIds = open.map(({ taskId }) => taskId);
  const listing = await listFolder(session, folder, openIds);
  const taskIds = openIds.filter((taskId) => hasNews(listing.get(taskId), records.get(taskId) ?? freshRecord(taskId)));
  if (taskIds.length === 0) return;
  const order = await ports.jobs.getBatchOrder(jobId);
  if (order === undefined) return; // deleted: the intent to remove it is on its way
  await fetchFolder(ports, session, { cluster, jobId, folder, listing, order, taskIds, isLast: false }, records, time);
}

function hasNews(found: ReadonlyMap<TaskFile, FoundFile> | undefined, record: TaskRecord): boolean {
  if (found === undefined) return false;
  const progressAt = found.get(TASK_FILES.progress)?.modifiedAt.getTime();
  return (
    found.has(TASK_FILES.end) ||
    (found.get(TASK_FILES.log)?.sizeBytes ?? 0) > record.logBytes ||
    (progressAt !== undefined && progressAt !== record.progressAt?.getTime())
  );
}
