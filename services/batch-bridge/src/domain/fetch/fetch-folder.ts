import { TASK_FILES, type TaskFile, taskFile } from '@tally/batch-helper';
import { hasReason } from '@tally/service-kit';
import type { ClusterSettings } from '../cluster/cluster.js';
import type { JobFolderPath } from '../job-folder-path.js';
import type { JobId } from '../job-id.js';
import { recordOf, type TaskRecord, type TaskRecords } from '../observe/task-record.js';
import type { ClusterSession, JobState, WorkerPorts } from '../ports.js';
import type { FoundFile, RemoteFolders } from '../remote-files.js';
import { deliverTask } from './deliver-task.js';
import { forEachAtOnce } from './for-each-at-once.js';

const NAMES: readonly TaskFile[] = Object.values(TASK_FILES);
/** Folder of the job, `tasks`, folder of the task. */
const DEPTH = 3;

/** Files of tasks that were found in the folder of a job. */
export type FolderListing = ReadonlyMap<number, ReadonlyMap<TaskFile, FoundFile>>;

/** Lists which files of tasks are there, by one command. */
export async function listFolder(
  session: RemoteFolders,
  folder: JobFolderPath,
  taskIds: Iterable<number>,
  names: readonly TaskFile[] = NAMES,
): Promise<FolderListing> {
  const found = new Map((await session.findFiles(folder, names, DEPTH)).map((file) => [file.path, file]));
  const listing = new Map<number, ReadonlyMap<TaskFile, FoundFile>>();
  for (const taskId of taskIds) {
    const files = names.flatMap((name) => {
      const file = found.get(taskFile(taskId, name));
      return file === undefined ? [] : [[name, file] as const];
    });
    listing.set(taskId, new Map(files));
  }
  return listing;
}

/** What of a job is to be fetched. */
export interface Fetch {
  readonly cluster: ClusterSettings;
  readonly jobId: JobId;
  readonly folder: JobFolderPath;
  readonly listing: FolderListing;
  readonly state: JobState;
  readonly taskIds: readonly number[];
  /** Nothing writes into the folder any more. */
  readonly isLast: boolean;
}

/**
 * Delivers what tasks have written, as many as there is time for, tasks that have ended first. What was learned is
 * remembered, also when it breaks off.
 * @param until - what is left then is fetched in the next round
 * @returns whether all was delivered, and the records as they are now
 */
export async function fetchFolder(
  ports: WorkerPorts,
  session: ClusterSession,
  { cluster, jobId, folder, listing, state, taskIds, isLast }: Fetch,
  records: TaskRecords,
  until: Date,
): Promise<{ readonly isComplete: boolean; readonly records: TaskRecords }> {
  const { tasks, limits, clock, logger } = ports;
  const changed = new Map<number, TaskRecord>();
  const hasEndFile = (taskId: number): boolean => listing.get(taskId)?.has(TASK_FILES.end) === true;
  const queue = taskIds.toSorted((a, b) => Number(hasEndFile(b)) - Number(hasEndFile(a)));
  if (queue.length === 0) return { isComplete: true, records };
  let isComplete = true;
  try {
    await session.withFiles((files) =>
      forEachAtOnce(queue, limits.fetchTasksMax, async (taskId) => {
        if (clock.now() >= until) {
          isComplete = false;
          return;
        }
        const delivery = {
          clusterName: cluster.name,
          jobId,
          folder,
          taskId,
          updateKey: state.updateKey,
          found: listing.get(taskId) ?? new Map<TaskFile, FoundFile>(),
          isEnded: state.endedTasks.has(taskId) || !state.isOpen,
          isLast,
        };
        try {
          changed.set(taskId, await deliverTask(ports, files, delivery, recordOf(records, taskId)));
        } catch (err) {
          if (!hasReason(err, 'FILE_UNREADABLE')) throw err;
          isComplete = false; // the others are not to wait for it
          logger.warn({ err, job_id: jobId, task_id: taskId }, 'a file of a task cannot be read');
        }
      }),
    );
  } finally {
    if (changed.size > 0) await tasks.save(jobId, [...changed.values()]);
  }
  return { isComplete, records: new Map([...records, ...changed]) };
}
