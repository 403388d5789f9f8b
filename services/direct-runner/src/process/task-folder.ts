import { writeFileSync } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openLogFile, openOutputFolder, readChunks, writeDurably } from '@tally/launcher';
import { encodeTaskOutput, readTaskOutputIndex, taskOutputHeaderBytes } from '@tally/merge';
import type { SpooledOutput, TaskFolder } from '../domain/ports.js';
import type { TaskEnd, WorkOrder } from '../domain/task.js';

/**
 * The folder of one attempt: `work/` is the simulator's; beside it lie what the runner must know after a crash:
 * `order.json` and `process.json`, the log, and, once it has ended, `output` and then `end.json`.
 */
export const FILES = {
  work: 'work',
  order: 'order.json',
  process: 'process.json',
  log: 'log',
  output: 'output',
  end: 'end.json',
} as const;

const CHUNK_BYTES = 256 * 1024;

export interface FolderSettings {
  readonly logBytesMax: number;
  readonly taskOutputBytesMax: number;
}

/** Makes the folder of an attempt, readable by this user only; it must not exist. */
export async function createTaskFolder(
  folder: string,
  order: WorkOrder,
  settings: FolderSettings,
): Promise<TaskFolder> {
  await mkdir(folder, { mode: 0o700 });
  await writeDurably(path.join(folder, FILES.order), JSON.stringify(order));
  await mkdir(path.join(folder, FILES.work), { mode: 0o700 });
  return openTaskFolder(folder, order, settings);
}

/** The folder of an attempt that is there. */
export function openTaskFolder(folder: string, order: WorkOrder, settings: FolderSettings): TaskFolder {
  const simulatorPath = path.join(folder, FILES.work);
  const outputPath = path.join(folder, FILES.output);
  const log = openLogFile(path.join(folder, FILES.log), settings.logBytesMax);
  return {
    order,
    log,
    simulatorPath,
    async writeDeck(files) {
      for (const [name, text] of Object.entries(files)) {
        await writeFile(path.join(simulatorPath, name), text, { flag: 'wx', mode: 0o600 });
      }
    },
    outputFolder: () => openOutputFolder(simulatorPath, settings.taskOutputBytesMax),
    async seal(end: TaskEnd, output) {
      if (output !== undefined) await writeDurably(outputPath, encodeTaskOutput(output));
      await writeDurably(path.join(folder, FILES.end), JSON.stringify(end));
    },
    openOutput: () => openSpooledOutput(outputPath),
    noteProcess(identity) {
      writeFileSync(path.join(folder, FILES.process), JSON.stringify(identity), { mode: 0o600 });
    },
    async remove() {
      log.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openSpooledOutput(file: string): Promise<SpooledOutput> {
  const handle = await open(file, 'r');
  try {
    const preamble = Buffer.alloc(16);
    await handle.read(preamble, { position: 0 });
    const header = Buffer.alloc(taskOutputHeaderBytes(preamble));
    await handle.read(header, { position: 0 });
    return {
      index: readTaskOutputIndex(header),
      read: (offsetBytes, sizeBytes) => readChunks(file, offsetBytes, sizeBytes, CHUNK_BYTES),
    };
  } finally {
    await handle.close();
  }
}
