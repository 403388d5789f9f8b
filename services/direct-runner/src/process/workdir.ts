import { mkdir, open, readdir, readFile, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { endProcesses, identifyProcess, isAlive, type ProcessIdentity } from '@tally/launcher';
import type { Logger } from '@tally/service-kit';
import { INPUT_TYPES, SIM_TYPES } from '@tally/simulators';
import { z } from 'zod';
import { type FailureReason, fail } from '../domain/errors.js';
import type { LeftOver, TaskFolders } from '../domain/ports.js';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from '../domain/task.js';
import { createTaskFolder, FILES, type FolderSettings, openTaskFolder } from './task-folder.js';

const LOCK_FILE = 'runner.lock';
/** An attempt's id becomes a folder name; jobs gives UUIDs. */
const ATTEMPT_ID = /^[A-Za-z0-9-]{8,64}$/;

export interface WorkDirSettings extends FolderSettings {
  /** Grace for processes that an earlier run left. */
  readonly cancelGraceMs: number;
  /** No task is taken below this. */
  readonly workDirFreeBytesMin: number;
}

/** The working folder of this runner, and nobody else's while it runs. */
export interface WorkDir extends TaskFolders {
  /** Lets another runner have it. What is in it stays. */
  close(): Promise<void>;
}

/**
 * Takes the working folder. Throws when another living runner has it: two on one folder would take each other's tasks
 * for left over.
 */
export async function openWorkDir(root: string, settings: WorkDirSettings, logger: Logger): Promise<WorkDir> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const lock = path.join(root, LOCK_FILE);
  await takeLock(lock);
  return {
    async requireRoom() {
      const { bavail, bsize } = await statfs(root);
      if (bavail * bsize >= settings.workDirFreeBytesMin) return;
      throw new Error(`the working folder has ${bavail * bsize} bytes left, less than ${settings.workDirFreeBytesMin}`);
    },
    async create(order) {
      if (!ATTEMPT_ID.test(order.attemptId)) throw new Error('the id of an attempt is not fit for a folder name');
      return createTaskFolder(path.join(root, order.attemptId), order, settings);
    },
    async leftOver() {
      const entries = await readdir(root, { withFileTypes: true });
      const found: LeftOver[] = [];
      for (const entry of entries.filter(({ name }) => ATTEMPT_ID.test(name))) {
        const folder = path.join(root, entry.name);
        const left = await openLeftOver(folder, settings);
        if (left !== undefined) found.push(left);
        else {
          logger.warn({ folder: entry.name }, 'removing a folder without a readable order');
          await endProcesses({ groupId: undefined, attemptId: entry.name }, settings.cancelGraceMs);
          await rm(folder, { recursive: true, force: true });
        }
      }
      return found;
    },
    close: () => rm(lock, { force: true }),
  };
}

async function takeLock(lock: string): Promise<void> {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, startTicks: 0, bootId: '' };
  for (let isSecond = false; ; isSecond = true) {
    try {
      const handle = await open(lock, 'wx', 0o600);
      await handle.writeFile(JSON.stringify(identity));
      return await handle.close();
    } catch (err) {
      if (isSecond || !isExisting(err)) throw err;
      const holder = await readJson(lock, identitySchema);
      if (holder !== undefined && isAlive(holder)) {
        throw new Error(`the working folder is in use by process ${holder.pid}`, { cause: err });
      }
      await rm(lock, { force: true });
    }
  }
}

function isExisting(err: unknown): boolean {
  return typeof err === 'object' && err !== null && 'code' in err && err.code === 'EEXIST';
}

async function openLeftOver(folder: string, settings: WorkDirSettings): Promise<LeftOver | undefined> {
  const order = await readJson(path.join(folder, FILES.order), orderSchema);
  if (order === undefined) return undefined;
  const leader = await readJson(path.join(folder, FILES.process), identitySchema);
  return {
    folder: openTaskFolder(folder, order, settings),
    end: await readJson(path.join(folder, FILES.end), endSchema),
    endProcesses: () => {
      const groupId = leader !== undefined && isAlive(leader) ? leader.pid : undefined;
      return endProcesses({ groupId, attemptId: order.attemptId }, settings.cancelGraceMs);
    },
  };
}

const count = z.number().int().nonnegative();
const orderSchema: z.ZodType<WorkOrder> = z.object({
  attemptId: z
    .string()
    .regex(ATTEMPT_ID)
    .transform((text) => text as AttemptId),
  jobId: z
    .string()
    .min(1)
    .transform((text) => text as JobId),
  taskId: count,
  attempt: count,
  simType: z.enum(SIM_TYPES),
  inputType: z.enum(INPUT_TYPES),
  primaries: count,
  firstHistory: count,
  seed: z.string(),
  leaseMs: z.number().positive(),
  heartbeatMs: z.number().positive(),
});
const reasonSchema = z.string().refine((text): text is FailureReason => Object.hasOwn(fail.reasons, text));
const endSchema: z.ZodType<TaskEnd> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), simulatedPrimaries: count }),
  z.object({ kind: z.literal('failed'), reason: reasonSchema, message: z.string(), isRetryable: z.boolean() }),
  z.object({ kind: z.literal('released') }),
]);
const identitySchema: z.ZodType<ProcessIdentity> = z.object({
  pid: z.number().int().min(1),
  startTicks: z.number(),
  bootId: z.string(),
});

/** The content of a JSON file, if it is there and of that shape. */
async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
