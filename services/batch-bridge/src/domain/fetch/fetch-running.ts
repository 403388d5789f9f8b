import { JOB_FILES, TASK_FILES, type TaskFile } from '@tally/batch-helper';
import type { ClusterSettings } from '../cluster/cluster.js';
import { jobFolderPath } from '../job-folder-path.js';
import { recordOf, type TaskRecord, type TaskRecords } from '../observe/task-record.js';
import { isCollectRecord } from '../observe/tracked-tasks.js';
import type { ClusterSession, WorkerPorts } from '../ports.js';
import type { FoundFile } from '../remote-files.js';
import type { SubmissionIn } from '../submission.js';
import { fetchFolder, listFolder } from './fetch-folder.js';

/**
 * Where nodes cannot reach the gateway: fetches what tasks have written since the last time, and reports it. One listing
 * for the job; only files with news are read.
 */
export async function fetchRunning(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  { jobId, phase, desired }: SubmissionIn<'submitted'>,
  records: TaskRecords,
  until: Date,
): Promise<void> {
  if (cluster.isReachingGateway || desired !== 'run' || ports.clock.now() >= until) return;
  const openIds = [...records.values()]
    .filter(({ reported, end }) => reported === 'running' || (reported === 'nothing' && end !== undefined))
    .flatMap((record) => (isCollectRecord(record) ? [] : record.taskId));
  if (openIds.length === 0) return;
  const folder = jobFolderPath(cluster, phase.remoteJob.username, jobId);
  const listing = await listFolder(session, folder, openIds);
  const taskIds = openIds.filter((taskId) => hasNews(listing.get(taskId), recordOf(records, taskId)));
  if (taskIds.length === 0) return;
  const state = await ports.jobs.getState(jobId);
  if (state === undefined) return; // deleted: the command to remove it is on its way
  if (state.mustFinish) await session.upload([{ path: `${folder}/${JOB_FILES.finish}`, content: STOPPED }]);
  await fetchFolder(ports, session, { cluster, jobId, folder, listing, state, taskIds, isLast: false }, records, until);
}

/** For people who look into the folder: the file itself is what tasks look for. */
const STOPPED = Buffer.from('The job was stopped: what is simulated by now is all that is wanted.\n');

function hasNews(found: ReadonlyMap<TaskFile, FoundFile> | undefined, record: TaskRecord): boolean {
  if (found === undefined) return false;
  const progressAt = found.get(TASK_FILES.progress)?.modifiedAt.getTime();
  return (
    found.has(TASK_FILES.end) ||
    (found.get(TASK_FILES.log)?.sizeBytes ?? 0) > record.logBytes ||
    (progressAt !== undefined && progressAt !== record.progressAt?.getTime())
  );
}
