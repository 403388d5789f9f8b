import type { FileHandle } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DeckFiles } from '@tally/simulators';
import { type BatchJob, jobFile } from './batch-job.js';
import { JobFolderError } from './file-format.js';
import { DECK_BYTES_MAX, DECK_FILES_MAX, isDeckFileName, JOB_FILES, parseUpdateKey } from './job-folder.js';
import { readBounded } from './read-bounded.js';

const UPDATE_KEY_BYTES_MAX = 2_000;
const AUTHORITIES_BYTES_MAX = 4 * 1024 * 1024;

/** @throws JobFolderError, and what the file system throws */
export async function readJob(folder: string): Promise<BatchJob> {
  return jobFile.parse(await readBounded(path.join(folder, JOB_FILES.job), jobFile.bytesMax));
}

/** The update key, from a file that nobody else can read. @throws JobFolderError where others can */
export async function readUpdateKey(folder: string): Promise<string> {
  return parseUpdateKey(
    await readBounded(path.join(folder, JOB_FILES.updateKey), UPDATE_KEY_BYTES_MAX, requirePrivate),
  );
}

async function requirePrivate(handle: FileHandle): Promise<void> {
  const { mode, uid } = await handle.stat();
  if ((mode & 0o077) !== 0) throw new JobFolderError(JOB_FILES.updateKey, 'others may read it; it must be 0600');
  if (uid !== process.getuid?.()) throw new JobFolderError(JOB_FILES.updateKey, "is another user's");
}

/** PEM text of the authorities of the job; undefined: Node's own. */
export async function readAuthorities({ gateway }: BatchJob): Promise<string | undefined> {
  const file = gateway?.caFile ?? undefined;
  return file === undefined ? undefined : (await readBounded(file, AUTHORITIES_BYTES_MAX)).toString('utf8');
}

/** The deck of the job. @throws JobFolderError for one that is none */
export async function readDeck(folder: string): Promise<DeckFiles> {
  const names = await readdir(path.join(folder, JOB_FILES.deck));
  if (names.length === 0 || names.length > DECK_FILES_MAX) {
    throw new JobFolderError(JOB_FILES.deck, `has ${names.length} files`);
  }
  const files: Record<string, string> = {};
  let leftBytes = DECK_BYTES_MAX;
  for (const name of names) {
    if (!isDeckFileName(name)) throw new JobFolderError(JOB_FILES.deck, `has a file named ${JSON.stringify(name)}`);
    const content = await readBounded(path.join(folder, JOB_FILES.deck, name), leftBytes);
    leftBytes -= content.length;
    files[name] = content.toString('utf8');
  }
  return files;
}
