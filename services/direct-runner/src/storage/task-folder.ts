import { chmodSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { chmod, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openLogFile, removeFolder, SMALL_BYTES_MAX } from '@tally/launcher';
import { readTaskOutputIndex, taskOutputHeaderBytes, type WrittenTaskOutput } from '@tally/merge';
import type { DeckFiles } from '@tally/simulators';
import type { SpooledOutput, TaskFolder } from '../domain/ports.js';
import type { AttemptId, TaskEnd, WorkOrder } from '../domain/task.js';
import { createJournal, type Journal } from './journal.js';

/** Where the things of attempts lie: the simulators' folders, and apart from them what is the runner's own. */
export interface SpoolPaths {
  /** `<attempt>/`: where its simulator works. */
  readonly tasks: string;
  /** `<attempt>.journal`, and `<attempt>.log`: what results is sent. */
  readonly spool: string;
}

export interface FolderSettings {
  readonly logBytesMax: number;
  readonly taskOutputBytesMax: number;
  /** Simulators run as another user of the same group, who also removes what cannot be removed here. */
  readonly isShared: boolean;
}

export const JOURNAL_SUFFIX = '.journal';
const LOG_SUFFIX = '.log';
/** Of a task output: as much says how long its header is. */
const PREAMBLE_BYTES = 16;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const SHARED_FILE_MODE = 0o660;
export const SHARED_FOLDER_MODE = 0o770;
/**
 * A crash of the runner loses nothing that was written, synced or not; only a power cut does, and it ends the simulator,
 * too. So nothing but a sealed attempt is worth syncing, and none that took less than this: it is computed again.
 */
const DURABLE_MS_MIN = 1_000;

/** Makes the place of an attempt, readable by this user only; there must be none. */
export function createTaskFolder(paths: SpoolPaths, order: WorkOrder, settings: FolderSettings): TaskFolder {
  const journal = createJournal(journalPath(paths, order.attemptId), order);
  const folder = path.join(paths.tasks, order.attemptId);
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
    if (settings.isShared) chmodSync(folder, SHARED_FOLDER_MODE); // a mode that is asked for loses the bits of the umask
    return openTaskFolder(paths, order, journal, settings, performance.now());
  } catch (err) {
    rmSync(folder, { recursive: true, force: true });
    rmSync(path.join(paths.spool, `${order.attemptId}${LOG_SUFFIX}`), { force: true });
    journal.remove();
    throw err;
  }
}

/** The place of an attempt that an earlier run of the runner has made. */
export function reopenTaskFolder(
  paths: SpoolPaths,
  order: WorkOrder,
  journal: Journal,
  settings: FolderSettings,
): TaskFolder {
  return openTaskFolder(paths, order, journal, settings, Number.NEGATIVE_INFINITY);
}

export function journalPath({ spool }: SpoolPaths, attemptId: AttemptId): string {
  return path.join(spool, `${attemptId}${JOURNAL_SUFFIX}`);
}

function openTaskFolder(
  paths: SpoolPaths,
  order: WorkOrder,
  journal: Journal,
  settings: FolderSettings,
  createdAtMs: number,
): TaskFolder {
  const simulatorPath = path.join(paths.tasks, order.attemptId);
  const logPath = path.join(paths.spool, `${order.attemptId}${LOG_SUFFIX}`);
  const log = openLogFile(logPath, settings.logBytesMax);
  /** A small output, for whoever sends it first: the disk need not be asked for what has just been written to it. */
  let sealedOutput: WrittenTaskOutput | undefined;
  return {
    order,
    log,
    simulatorPath,
    writeDeck: (files) => writeDeck(simulatorPath, files, settings.isShared),
    addFile: (name) => writeFileSync(path.join(simulatorPath, name), '', { flag: 'wx', mode: FILE_MODE }),
    async seal(end: TaskEnd, written) {
      const isDurable = performance.now() - createdAtMs >= DURABLE_MS_MIN;
      await journal.recordEnd(end, written?.bytes, isDurable);
      if (isDurable) await syncFolder(paths.spool);
      sealedOutput = written && written.bytes.length <= SMALL_BYTES_MAX ? written : undefined;
    },
    async openOutput() {
      const written = sealedOutput;
      sealedOutput = undefined; // a second try may come late, and many tasks may wait for it
      return written === undefined ? await openSpooledOutput(journal) : openOutputInMemory(written);
    },
    recordProcess: (identity) => journal.recordProcess(identity),
    async remove() {
      log.close();
      const removed = removeFolder(simulatorPath);
      await (settings.isShared ? removed.catch(() => {}) : removed);
      unlinkSync(logPath);
      journal.remove(); // last: it is how a next start finds the others
    },
  };
}

async function writeDeck(folder: string, files: DeckFiles, isShared: boolean): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    const options = { flag: 'wx', mode: FILE_MODE };
    if (text.length > SMALL_BYTES_MAX) await writeFile(file, piecesOf(text), options);
    else writeFileSync(file, text, options);
    if (isShared) await chmod(file, SHARED_FILE_MODE);
  }
}

/** What is written at once of a long text, characters: encoding all of it would hold the event loop. */
const PIECE_CHARS = 1_000_000;

/** Cut between characters. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PIECE_CHARS - 1);
    const end = from + PIECE_CHARS - (last >= 0xd800 && last < 0xdc00 ? 1 : 0); // the first half of a pair
    yield text.slice(from, end);
    from = end;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function openOutputInMemory({ bytes, index }: WrittenTaskOutput): SpooledOutput {
  return {
    index,
    read: (offsetBytes, sizeBytes) => [Buffer.from(bytes.buffer, bytes.byteOffset + offsetBytes, sizeBytes)],
  };
}

async function openSpooledOutput(journal: Journal): Promise<SpooledOutput> {
  const readAll = async (sizeBytes: number) => {
    const chunks: Buffer[] = [];
    for await (const chunk of journal.readOutput(0, sizeBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const header = await readAll(taskOutputHeaderBytes(await readAll(PREAMBLE_BYTES)));
  return {
    index: readTaskOutputIndex(header),
    read: (offsetBytes, sizeBytes) => journal.readOutput(offsetBytes, sizeBytes),
  };
}
