import {
  type BatchTaskEnd,
  type BatchTaskProgress,
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
import { fetchLog } from './fetch-log.js';
import { fetchOutput } from './fetch-output.js';
import type { JobFolderPath } from './job-folder-path.js';
import type { JobId } from './job-id.js';
import type { ObservationPorts } from './observation-ports.js';
import type { TaskUpdate } from './ports.js';
import { isRefusal } from './refusal.js';
import type { FoundFile, RemoteFiles } from './remote-files.js';

import type { TaskRecord } from './task-record.js';

/** A task whose folder may hold something that the service does not have. */
export interface Delivery {
  readonly clusterName: string;
  readonly jobId: JobId;
  readonly updateKey: string;
  readonly folder: JobFolderPath;
  readonly taskId: number;
  /** Plain files of the task's folder that were found, by name. */
  readonly found: ReadonlyMap<TaskFile, FoundFile>;
  /** Jobs has the task's end. */
  readonly isEnded: boolean;
  /** Nothing writes into the folder any more: what is missing now is missing for good. */
  readonly isLast: boolean;
}

/**
 * Makes the service know what the folder of a task says, in the order in which the helper does it where nodes reach the
 * gateway: log, output, end. What cannot be read or used fails the task and says why. Safe to repeat.
 * @returns what is to be remembered of the task
 */
export async function deliverTask(
  ports: ObservationPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
): Promise<TaskRecord> {
  const hasOwnEnd = delivery.found.has(TASK_FILES.end);
  const delivered = await readDelivered(files, delivery);
  const known = await deliverLog(ports, files, delivery, { ...record, hasOwnEnd }, delivered);
  if (delivery.isEnded) {
    const mayHaveRest = delivery.isLast && !delivered.output;
    return { ...(mayHaveRest ? await deliverRest(ports, files, delivery, known) : known), told: 'ended' };
  }
  if (!hasOwnEnd) return deliverProgress(ports, files, delivery, known);
  const end = await readFile(files, delivery, TASK_FILES.end, taskEndFile);
  if (end === undefined) return known; // vanished since it was found: whoever did that has not done the task a favour
  if (end instanceof JobFolderError)
    return tellFailed(ports, delivery, known, `The task's end cannot be read: ${end.message}`);
  return end.taskState === 'FAILED'
    ? tellEnd(ports, delivery, known, end, { state: 'FAILED', failure: end.failure })
    : deliverCompleted(ports, files, delivery, known, end);
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
      return format.parse(await file.read(0, format.bytesMax + 1)); // one more: so that it sees what is too long
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
  ports: ObservationPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
  delivered: Delivered,
): Promise<TaskRecord> {
  if (!delivery.found.has(TASK_FILES.log)) return record;
  const logBytes = await fetchLog(ports, files, pathOf(delivery, TASK_FILES.log), {
    to: delivery,
    fromBytes: Math.max(record.logBytes, delivered.logBytes),
    isWhole: record.hasOwnEnd || delivery.isLast,
  });
  return { ...record, logBytes };
}

async function deliverProgress(
  ports: ObservationPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
): Promise<TaskRecord> {
  const progressAt = delivery.found.get(TASK_FILES.progress)?.modifiedAt;
  if (delivery.isLast || progressAt === undefined || progressAt.getTime() === record.progressAt?.getTime())
    return record;
  const progress = await readFile(files, delivery, TASK_FILES.progress, taskProgressFile);
  if (progress === undefined || progress instanceof JobFolderError) return record; // the next one may be better
  await update(ports, delivery, { state: 'RUNNING', ...fromProgress(progress) });
  return { ...record, told: 'running', progressAt };
}

function fromProgress({ simulatedPrimaries, estimatedSeconds, startTime }: BatchTaskProgress): Partial<TaskUpdate> {
  return {
    simulatedPrimaries,
    startTime,
    ...(estimatedSeconds === undefined ? {} : { remainingMs: estimatedSeconds * 1000 }),
  };
}

/** Output of a task that jobs ended before it could be delivered, as by a cancel: stored if jobs still wants it. */
async function deliverRest(
  ports: ObservationPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
): Promise<TaskRecord> {
  if (record.isOutputStored || !record.hasOwnEnd || !delivery.found.has(TASK_FILES.output)) return record;
  const end = await readFile(files, delivery, TASK_FILES.end, taskEndFile);
  if (end === undefined || end instanceof JobFolderError || end.taskState !== 'COMPLETED') return record;
  const { jobId, updateKey, taskId } = delivery;
  if (!(await orRefused(ports, delivery, ports.jobs.isOutputWanted({ jobId, updateKey, taskId })))) return record;
  await fetchOutput(ports, files, pathOf(delivery, TASK_FILES.output), delivery);
  await orRefused(ports, delivery, ports.jobs.reportTaskOutput({ jobId, updateKey, taskId }));
  return { ...record, isOutputStored: true };
}

async function deliverCompleted(
  ports: ObservationPorts,
  files: RemoteFiles,
  delivery: Delivery,
  record: TaskRecord,
  end: BatchTaskEnd,
): Promise<TaskRecord> {
  const { jobId, updateKey, taskId } = delivery;
  const isWanted =
    record.isOutputStored ||
    (await orRefused(ports, delivery, ports.jobs.isOutputWanted({ jobId, updateKey, taskId })));
  if (!isWanted) return { ...record, told: 'ended' }; // task or job have ended otherwise
  if (!record.isOutputStored) {
    const outcome = await fetchOutput(ports, files, pathOf(delivery, TASK_FILES.output), delivery);
    if (outcome.kind === 'refused') return tellFailed(ports, delivery, record, outcome.message, end);
    if (outcome.kind === 'missing') {
      // a file server may show the end before the output
      return delivery.isLast
        ? tellFailed(ports, delivery, record, 'The task says that it is complete, but has left no output', end)
        : record;
    }
    await orRefused(ports, delivery, ports.jobs.reportTaskOutput({ jobId, updateKey, taskId }));
  }
  return tellEnd(ports, delivery, { ...record, isOutputStored: true }, end, { state: 'COMPLETED' });
}

function tellFailed(
  ports: ObservationPorts,
  delivery: Delivery,
  record: TaskRecord,
  failure: string,
  end?: BatchTaskEnd,
): Promise<TaskRecord> {
  return tellEnd(ports, delivery, record, end, { state: 'FAILED', failure });
}

async function tellEnd(
  ports: ObservationPorts,
  delivery: Delivery,
  record: TaskRecord,
  end: BatchTaskEnd | undefined,
  said: Pick<TaskUpdate, 'state' | 'failure'>,
): Promise<TaskRecord> {
  const { simulatedPrimaries, startTime, endTime } = end ?? {};
  await update(ports, delivery, {
    ...said,
    ...(simulatedPrimaries === undefined ? {} : { simulatedPrimaries }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  });
  return { ...record, told: 'ended' };
}

async function update(ports: ObservationPorts, delivery: Delivery, said: Partial<TaskUpdate>): Promise<void> {
  const { jobId, updateKey, taskId } = delivery;
  await orRefused(ports, delivery, ports.jobs.updateTask({ jobId, updateKey, taskId, ...said }));
}

/** False also where jobs refuses for good, as for a key that is not valid any more: the job will end without it. */
async function orRefused(
  { logger }: ObservationPorts,
  { jobId, taskId }: Delivery,
  answer: Promise<boolean>,
): Promise<boolean> {
  try {
    return await answer;
  } catch (err) {
    if (!isRefusal(err)) throw err;
    logger.error({ err, job_id: jobId, task_id: taskId }, 'jobs refuses what a task on a cluster says');
    return false;
  }
}
