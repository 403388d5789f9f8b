import { statfsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { endProcesses, errorCode, identifyProcess, isAlive, type ProcessIdentity } from '@tally/launcher';
import type { Logger } from '@tally/service-kit';
import type { OrphanedTask, TaskFolders } from '../domain/ports.js';
import type { AttemptId } from '../domain/task.js';
import { ATTEMPT_ID, identitySchema, openJournal } from './journal.js';
import {
  createTaskFolder,
  type FolderSettings,
  JOURNAL_SUFFIX,
  journalPath,
  reopenTaskFolder,
  SHARED_FOLDER_MODE,
  type SpoolPaths,
} from './task-folder.js';

const LOCK_FILE = 'runner.lock';

export interface WorkDirSettings extends FolderSettings {
  /** Grace for processes that an earlier run left. */
  readonly cancelGraceMs: number;
  /** No task is taken below this. */
  readonly workDirFreeBytesMin: number;
}

/** The working folder of this runner, exclusive while it runs. */
export interface WorkDir extends TaskFolders {
  /** Makes a folder in which a command that is of no task works; to be removed by the caller. */
  makeTrialFolder(): Promise<string>;
  /** Lets another runner have it. What is in it stays. */
  close(): Promise<void>;
}

/**
 * Takes the working folder. Throws when another living runner has it: two on one folder would take each other's tasks
 * for orphaned.
 */
export async function openWorkDir(root: string, settings: WorkDirSettings, logger: Logger): Promise<WorkDir> {
  const paths = { tasks: path.join(root, 'tasks'), spool: path.join(root, 'spool') };
  for (const folder of Object.values(paths)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = path.join(root, LOCK_FILE);
  await takeLock(lock);
  return {
    async requireFreeSpace() {
      const { bavail, bsize } = statfsSync(root); // it asks the file system's memory, not the disk
      if (bavail * bsize >= settings.workDirFreeBytesMin) return;
      throw new Error(`the working folder has ${bavail * bsize} bytes left, less than ${settings.workDirFreeBytesMin}`);
    },
    async create(order) {
      if (!ATTEMPT_ID.test(order.attemptId)) throw new Error('the id of an attempt is not fit for a file name');
      return createTaskFolder(paths, order, settings);
    },
    async makeTrialFolder() {
      const folder = await mkdtemp(path.join(settings.isShared ? paths.tasks : root, 'version-'));
      if (settings.isShared) await chmod(folder, SHARED_FOLDER_MODE);
      return folder;
    },
    listOrphaned: () => listOrphaned(root, paths, settings, logger),
    close: () => rm(lock, { force: true }),
  };
}

async function takeLock(lock: string): Promise<void> {
  if (await createLock(lock)) return;
  const owner = await readLock(lock);
  if (owner !== undefined && isAlive(owner)) throw new Error(`the working folder is in use by process ${owner.pid}`);
  await rm(lock, { force: true });
  if (!(await createLock(lock))) throw new Error('the working folder has just been taken by another process');
}

/** @returns false if there is one */
async function createLock(lock: string): Promise<boolean> {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, startTicks: 0, bootId: '' };
  const handle = await open(lock, 'wx', 0o600).catch((err: unknown) => {
    if (errorCode(err) === 'EEXIST') return undefined;
    throw err;
  });
  if (handle === undefined) return false;
  await handle.writeFile(JSON.stringify(identity));
  await handle.close();
  return true;
}

async function readLock(lock: string): Promise<ProcessIdentity | undefined> {
  try {
    return identitySchema.safeParse(JSON.parse(await readFile(lock, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Everything that an earlier run left: tasks with a journal. What belongs to none goes, also folders of attempts that
 * lie in the root: there releases before journals had them.
 */
async function listOrphaned(
  root: string,
  paths: SpoolPaths,
  settings: WorkDirSettings,
  logger: Logger,
): Promise<OrphanedTask[]> {
  const found: OrphanedTask[] = [];
  const known = new Set<string>();
  const spooled = await readdir(paths.spool);
  for (const name of spooled.filter((entry) => entry.endsWith(JOURNAL_SUFFIX))) {
    const attemptId = name.slice(0, -JOURNAL_SUFFIX.length) as AttemptId;
    const orphaned = await openOrphaned(paths, attemptId, settings);
    if (orphaned === undefined) continue;
    found.push(orphaned);
    known.add(attemptId);
  }
  const listed = (folder: string, names: readonly string[]) => names.map((name) => path.join(folder, name));
  const places = [
    ...listed(paths.spool, spooled),
    ...listed(paths.tasks, await readdir(paths.tasks)),
    ...listed(root, await readdir(root)).filter((place) => ATTEMPT_ID.test(path.basename(place))),
  ];
  for (const place of places) {
    const [attemptId = ''] = path.basename(place).split('.');
    if (known.has(attemptId)) continue;
    if (settings.isShared && path.dirname(place) === paths.tasks) continue; // the simulator host removes it
    logger.warn({ place }, 'removing what belongs to no task');
    await endProcesses({ groupId: undefined, attemptId }, settings.cancelGraceMs);
    await rm(place, { recursive: true, force: true });
  }
  return found;
}

async function openOrphaned(
  paths: SpoolPaths,
  attemptId: AttemptId,
  settings: WorkDirSettings,
): Promise<OrphanedTask | undefined> {
  const opened = await openJournal(journalPath(paths, attemptId));
  if (opened === undefined) return undefined;
  const { journal, content } = opened;
  return {
    folder: reopenTaskFolder(paths, content.order, journal, settings),
    end: content.end,
    endProcesses: () => {
      const { leader } = content;
      const groupId = leader !== undefined && isAlive(leader) ? leader.pid : undefined;
      return endProcesses({ groupId, attemptId }, settings.cancelGraceMs);
    },
  };
}
