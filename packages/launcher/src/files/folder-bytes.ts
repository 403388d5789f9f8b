import { lstat } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import { type BytePath, joinBytes, listBytes } from './byte-names.js';

/** Counted for every file and folder, so that empty ones are not free. */
const ENTRY_BYTES = 4096;

/**
 * Size of everything below a folder; links are counted, not followed. Infinite where something cannot be looked into (a
 * folder closed to this user, a path too long): nobody could say what is in it.
 */
export function folderBytes(folder: string): Promise<number> {
  return countBytes(folder).catch(() => Number.POSITIVE_INFINITY);
}

async function countBytes(folder: BytePath): Promise<number> {
  let bytes = 0;
  for (const entry of await orGone(listBytes(folder), [])) {
    const place = joinBytes(folder, entry.name);
    bytes += ENTRY_BYTES + (entry.isDirectory() ? await countBytes(place) : await fileBytes(place));
  }
  return bytes;
}

async function fileBytes(file: BytePath): Promise<number> {
  const stat = await orGone(lstat(file), undefined);
  return stat?.isFile() === true ? stat.size : 0;
}

/** What is removed while we look is nothing. */
async function orGone<T>(looked: Promise<T>, nothing: T): Promise<T> {
  try {
    return await looked;
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return nothing;
    throw err;
  }
}
