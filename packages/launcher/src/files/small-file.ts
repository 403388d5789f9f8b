import { lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { removeStubbornFolder } from './stubborn-folder.js';

/*
 * Small files are written, read and removed synchronously: the thread pool costs more than the work. The event loop is not
 * held up, because what is written and not synced goes to memory, not to the disk.
 */

/** A file of at most this length is small. */
export const SMALL_BYTES_MAX = 256 * 1024;
/** A folder with more entries, or with a file that the file system takes long to give back, is not small. */
const ENTRIES_MAX = 64;
const REMOVED_BYTES_MAX = 16 * 1024 * 1024;

/** Writes a small file whole or not at all. It survives the end of this process, but not of the machine's power. */
export function writeSmallFile(file: string, content: Uint8Array | string): void {
  const unfinished = `${file}.part`;
  writeFileSync(unfinished, content, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes a folder and everything in it, if it is there; the files of a small one at once. */
export async function removeFolder(folder: string): Promise<void> {
  if (await removeSmallFolder(folder)) return;
  await rm(folder, { recursive: true, force: true }).catch(() => removeStubbornFolder(folder));
}

/** False: it is not small, or cannot be removed like that; part of it may be gone. */
async function removeSmallFolder(folder: string): Promise<boolean> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length > ENTRIES_MAX) return false;
    for (const entry of entries) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory() ? !(await removeSmallFolder(place)) : lstatSync(place).size > REMOVED_BYTES_MAX)
        return false;
      if (!entry.isDirectory()) unlinkSync(place);
    }
    await rmdir(folder); // this one waits for the file system's journal
    return true;
  } catch {
    return false;
  }
}
