/**
 * The folder of a job on a cluster (docs/batch.md): what batch-bridge writes and the helper reads, and the reverse.
 * Whoever has an account on the cluster may write anything into it, so every reader bounds and checks what it reads,
 * and no name or path is taken from it. Names are here, `job.json` in batch-job.ts, the files of a task in task-files.ts.
 */
import { JobFolderError } from './file-format.js';

/** Names in the folder of a job. */
export const JOB_FILES = {
  job: 'job.json',
  updateKey: 'update.key',
  deck: 'deck',
  tasks: 'tasks',
  /** The job was stopped: its running tasks end, and leave what they have simulated. */
  finish: 'finish',
} as const;

/** Names in the folder of a task. */
export const TASK_FILES = {
  log: 'log',
  progress: 'progress.json',
  output: 'output.bin',
  end: 'end.json',
  delivered: 'delivered.json',
} as const;
export type TaskFile = (typeof TASK_FILES)[keyof typeof TASK_FILES];

/** Folder of a task within the job's folder; parts are joined by `/` as SFTP wants it. */
export function taskFolder(taskId: number): string {
  return `${JOB_FILES.tasks}/${taskId}`;
}

/** A file of a task, relative to the job's folder. */
export function taskFile(taskId: number, file: TaskFile): string {
  return `${taskFolder(taskId)}/${file}`;
}

/** The scheduler's own log of array `array` (from 1), index `index`; Slurm replaces `%a`. */
export function arrayLogName(array: number, index: number | '%a'): string {
  return `log-${array}-${index}`;
}

/** The scheduler's own log of the collect job. */
export const COLLECT_LOG_NAME = 'log-0';

/**
 * Exit code of a task that the scheduler stopped by SIGTERM before it was finished: EX_TEMPFAIL of sysexits(3). Such a task
 * leaves its log but no end.
 */
export const STOPPED_EXIT_CODE = 75;

/** Most bytes of any file of a deck together, and most files. */
export const DECK_BYTES_MAX = 256 * 1024 * 1024;
export const DECK_FILES_MAX = 4_096;

/** One path component of harmless characters, which no program takes for an option: what a file of a deck may be called. */
export function isDeckFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name);
}

/** The key in `update.key`: one line. @throws JobFolderError for anything else; the message does not show it */
export function parseUpdateKey(bytes: Uint8Array): string {
  const key = bytes.byteLength > 2_000 ? '' : Buffer.from(bytes).toString('utf8').trimEnd();
  if (!/^[\x21-\x7e]{1,1024}$/.test(key)) throw new JobFolderError(JOB_FILES.updateKey, 'does not hold a key');
  return key;
}
