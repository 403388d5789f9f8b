import {
  type BatchTaskEnd,
  type Delivered,
  deliveredFile,
  type FileFormat,
  JobFolderError,
  NOTHING_DELIVERED,
  TASK_FILES,
  type TaskFile,
  taskEndFile,
  taskFile,
  taskProgressFile,
} from '@tally/batch-helper';
import type { JobFolderPath } from '../job-folder-path.js';
import type { TaskRecord } from '../observe/task-record.js';
import { isPermanentError } from '../permanent-error.js';
import type { TaskIdentity, TaskUpdate, WorkerPorts } from '../ports.js';
import type { FoundFile, RemoteFiles } from '../remote-files.js';
import { fetchLog } from './fetch-log.js';
import { fetchOutput } from './fetch-output.js';

/** A task whose folder may hold something that the service does not have. */
export interface Delivery extends TaskIdentity {
  readonly clusterName: string;
  readonly folder: JobFolderPath;
  /** Plain files of the task's folder that were found, by name. */
  readonly found: ReadonlyMap<TaskFile, FoundFile>;
  /** Jobs has the task's end. */
  readonly isEnded: boolean;
  /** Nothing writes into the folder any more: what is missing now is missing for good. */
  readonly isLast: boolean;
}

/**
 * Brings to the service what the folder of a task holds, in the order in which the helper does it where nodes reach the
 * gateway: log, output, end. What cannot be read or used fails the task and says why. Safe to repeat.
 * @returns what is to be remembered of the task
 */
export async function deliverTask(
  ports: WorkerPorts,
  files: RemoteFiles,
  delivery: Delivery,
  before: TaskRecord,
): Promise<TaskRecord> {
  const hasEndFile = delivery.found.has(TASK_FILES.end);
  const delivered = await readDelivered(files, delivery);
  const record = await deliverLog(ports, files, delivery, { ...before, hasEndFile }, delivered);
  if (delivery.isEnded) {
    const mayHaveOutput = delivery.isLast && !delivered.output;
    const after = mayHaveOutput ? await deliverLateOutput(ports, files, delivery, record) : record;
    return { ...after, reported: 'ended' };
  }
  if (!hasEndFile) return deliverProgress(ports, files, delivery, record);
  const end = await readFile(files, delivery, TASK_FILES.end, taskEndFile);
  if (end === undefined) return record; // vanished since it was found
  if (end instanceof JobFolderError) {
    return reportFailed(ports, delivery, record, `OUTPUT_UNREADABLE: The task's end cannot be read: ${end.message}`);
  }
  return end.taskState === 'FAILED'
    ? reportFailed(ports, delivery, record, end.failure, end)
    : deliverCompleted(ports, files, delivery, record, end);
}

const pathOf = ({ folder, taskId }: Delivery, file: TaskFile): string => `${folder}/${taskFile(taskId, file)}`;

/** Undefined: not there; an error: not such a file. */
async function readFile<T>(
  files: RemoteFiles,
  delivery: Delivery,
  name: TaskFile,
  format: FileFormat<T>,
): Promise<T | JobFolderError | undefined> {
  return files.open(pathOf(delivery, name), async (file) => {
    try {
      return format.parse(await file.read(0, format.bytesMax + 1)); // one more: so that it notices what is too long
    } catch (err) {
      if (err instanceof JobFolderError) return err;
      throw err;
    }
  });
}

/** What the task itself, or the collect job, has delivered. */
async function readDelivered(files: RemoteFiles, delivery: Delivery): Promise<Delivered> {
  if (!delivery.found.has(TASK_FILES.delivered)) return NOTHING_DELIVERED;
  const delivered = await readFile(files, delivery, TASK_FILES.delivered, deliveredFile);
  return delivered === undefined || delivered instanceof JobFolderError ? NOTHING_DELIVERED : delivered;
}

async function deliverLog(
  ports: WorkerPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
  delivered: Delivered,
): Promise<TaskRecord> {
  if (!delivery.found.has(TASK_FILES.log)) return record;
  const logBytes = await fetchLog(ports, files, pathOf(delivery, TASK_FILES.log), {
    to: delivery,
    fromBytes: Math.max(record.logBytes, delivered.logBytes),
    isFinal: record.hasEndFile || delivery.isLast,
  });
  return { ...record, logBytes };
}

async function deliverProgress(
  ports: WorkerPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
): Promise<TaskRecord> {
  const progressAt = delivery.found.get(TASK_FILES.progress)?.modifiedAt;
  const isNews = progressAt !== undefined && progressAt.getTime() !== record.progressAt?.getTime();
  if (delivery.isLast || !isNews) return record;
  const progress = await readFile(files, delivery, TASK_FILES.progress, taskProgressFile);
  if (progress === undefined || progress instanceof JobFolderError) return record; // the next one may be better
  const { simulatedPrimaries, estimatedSeconds, startTime } = progress;
  const remaining = estimatedSeconds === undefined ? {} : { remainingMs: estimatedSeconds * 1000 };
  await report(ports, delivery, { state: 'RUNNING', simulatedPrimaries, startTime, ...remaining });
  return { ...record, reported: 'running', progressAt };
}

/** Output of a task that jobs ended before it could be delivered, as by a cancel: stored if jobs still wants it. */
async function deliverLateOutput(
  ports: WorkerPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
): Promise<TaskRecord> {
  if (record.isOutputStored || !record.hasEndFile || !delivery.found.has(TASK_FILES.output)) return record;
  const end = await readFile(files, delivery, TASK_FILES.end, taskEndFile);
  if (end === undefined || end instanceof JobFolderError || end.taskState !== 'COMPLETED') return record;
  if (!(await orRefused(ports, delivery, ports.jobs.isOutputWanted(delivery)))) return record;
  await fetchOutput(ports, files, pathOf(delivery, TASK_FILES.output), delivery);
  await orRefused(ports, delivery, ports.jobs.reportTaskOutput(delivery));
  return { ...record, isOutputStored: true };
}

async function deliverCompleted(
  ports: WorkerPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
  end: BatchTaskEnd,
): Promise<TaskRecord> {
  if (!record.isOutputStored) {
    const isWanted = await orRefused(ports, delivery, ports.jobs.isOutputWanted(delivery));
    if (!isWanted) return { ...record, reported: 'ended' }; // task or job have ended otherwise
    const outcome = await fetchOutput(ports, files, pathOf(delivery, TASK_FILES.output), delivery);
    if (outcome.kind === 'refused')
      return reportFailed(ports, delivery, record, `OUTPUT_REFUSED: ${outcome.message}`, end);
    if (outcome.kind === 'missing') {
      if (!delivery.isLast) return record; // a file server may show the end before the output
      return reportFailed(ports, delivery, record, 'OUTPUT_MISSING: The task is complete, but has left no output', end);
    }
    await orRefused(ports, delivery, ports.jobs.reportTaskOutput(delivery));
  }
  await report(ports, delivery, { ...factsOf(end), state: 'COMPLETED' });
  return { ...record, isOutputStored: true, reported: 'ended' };
}

async function reportFailed(
  ports: WorkerPorts,
  delivery: Delivery,
  record: TaskRecord,
  failure: string,
  end?: BatchTaskEnd,
): Promise<TaskRecord> {
  await report(ports, delivery, { ...(end && factsOf(end)), state: 'FAILED', failure });
  return { ...record, reported: 'ended' };
}

const factsOf = ({ simulatedPrimaries, startTime, endTime }: BatchTaskEnd): TaskUpdate => ({
  simulatedPrimaries,
  startTime,
  endTime,
});

async function report(ports: WorkerPorts, delivery: Delivery, update: TaskUpdate): Promise<void> {
  await orRefused(ports, delivery, ports.jobs.updateTask(delivery, update));
}

/** False also where jobs refuses for good, as for a key that is not valid any more: the job will end without it. */
async function orRefused(
  { logger }: WorkerPorts,
  { jobId, taskId }: Delivery,
  answer: Promise<boolean>,
): Promise<boolean> {
  try {
    return await answer;
  } catch (err) {
    if (!isPermanentError(err)) throw err;
    logger.error({ err, job_id: jobId, task_id: taskId }, 'jobs refuses the report of a task on a cluster');
    return false;
  }
}
