import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createDurably, writeDurably } from '@tally/launcher';
import type { OutputSource } from '../gateway/gateway.js';
import type { FileFormat } from './file-format.js';
import { JOB_FILES, TASK_FILES, taskFolder } from './job-folder.js';
import { readIfThere } from './read-bounded.js';
import {
  type BatchTaskEnd,
  type BatchTaskProgress,
  type Delivered,
  deliveredFile,
  NOTHING_DELIVERED,
  taskEndFile,
  taskProgressFile,
} from './task-files.js';

/** The folder of a task, as the helper writes and reads it. */
export interface TaskStore {
  readonly taskId: number;
  readonly logPath: string;
  /** Makes the folder, if it is not there, for this user only. */
  create(): Promise<void>;
  /** A fresh folder for the simulator, of this run only. @param run - for people who look into the folder */
  createWorkFolder(run: string): Promise<string>;
  /** Removes the folder that this run has made, if any. */
  removeWorkFolder(): Promise<void>;
  writeProgress(progress: BatchTaskProgress): Promise<void>;
  /** Durable when it resolves. */
  writeOutput(bytes: Uint8Array): Promise<void>;
  /** Durable when it resolves. The first end stays: false, there was one. */
  writeEnd(end: BatchTaskEnd): Promise<boolean>;
  /** `undefined`: the task has not ended. @throws JobFolderError for an end that is none */
  readEnd(): Promise<BatchTaskEnd | undefined>;
  /** The job was stopped: what is simulated by now is all that is wanted. */
  isFinishWanted(): boolean;
  readDelivered(): Promise<Delivered>;
  writeDelivered(delivered: Delivered): Promise<void>;
  logBytes(): Promise<number>;
  /** At most `bytesMax` bytes of the log from `offset`. */
  readLog(offset: number, bytesMax: number): Promise<Buffer>;
  /** The output that is there. */
  openOutput(primaries: number): Promise<OutputSource>;
}

export function openTaskStore(jobFolder: string, taskId: number): TaskStore {
  const folder = path.join(jobFolder, taskFolder(taskId));
  const pathOf = (name: string) => path.join(folder, name);
  let workFolder: string | undefined;
  const read = async <Value>(format: FileFormat<Value>): Promise<Value | undefined> => {
    const bytes = await readIfThere(pathOf(format.name), format.bytesMax);
    return bytes && format.parse(bytes);
  };
  return {
    taskId,
    logPath: pathOf(TASK_FILES.log),
    async create() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },
    async createWorkFolder(run) {
      workFolder = await mkdtemp(pathOf(`work-${run}-`));
      return workFolder;
    },
    async removeWorkFolder() {
      if (workFolder !== undefined) await rm(workFolder, { recursive: true, force: true, maxRetries: 3 });
    },
    writeProgress: (progress) => replaceFile(pathOf(taskProgressFile.name), taskProgressFile.encode(progress)),
    writeOutput: (bytes) => writeDurably(pathOf(TASK_FILES.output), bytes),
    writeEnd: (end) => createDurably(pathOf(taskEndFile.name), taskEndFile.encode(end)),
    readEnd: () => read(taskEndFile),
    isFinishWanted: () => existsSync(path.join(jobFolder, JOB_FILES.finish)),
    async readDelivered() {
      try {
        return (await read(deliveredFile)) ?? NOTHING_DELIVERED;
      } catch {
        return NOTHING_DELIVERED; // a repeat is harmless
      }
    },
    writeDelivered: (delivered) => replaceFile(pathOf(deliveredFile.name), deliveredFile.encode(delivered)),
    async logBytes() {
      return (await stat(pathOf(TASK_FILES.log)).catch(() => undefined))?.size ?? 0;
    },
    async readLog(offset, bytesMax) {
      const handle = await open(pathOf(TASK_FILES.log), 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), { position: offset });
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    async openOutput(primaries) {
      const file = pathOf(TASK_FILES.output);
      return { primaries, sizeBytes: (await stat(file)).size, open: () => createReadStream(file) };
    },
  };
}

/** Replaces a file in one step; it may be lost in a power cut, as its content can be found out again. */
async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
  } catch (err) {
    await rm(unfinished, { force: true });
    throw err;
  }
}
