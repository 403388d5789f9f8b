import { randomUUID } from 'node:crypto';
import { chmod, rename, rmdir, unlink } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import { type BytePath, joinBytes, listBytes } from './byte-names.js';

const OPEN_MODE = 0o700;

/**
 * Removes a folder of this user's that a recursive removal stumbles over: folders in it may be closed, or so deep that
 * their paths are longer than the kernel takes. What is in a folder is moved up before it is removed. Nobody else may
 * write into it meanwhile.
 */
export async function removeStubbornFolder(folder: BytePath): Promise<void> {
  await emptyFolder(folder);
  await rmdir(folder);
}

/** The same, but the folder itself stays. */
export async function emptyFolder(folder: BytePath): Promise<void> {
  const prefix = randomUUID();
  let moved = 0;
  const removeEntry = async (name: Buffer, isFolder: boolean) => {
    const place = joinBytes(folder, name);
    if (!isFolder) return unlink(place).catch(unlessGone);
    await open(place);
    for (const child of await listBytes(place)) {
      const childPlace = joinBytes(place, child.name);
      if (child.isDirectory()) await open(childPlace); // or it could not be moved; of a link chmod(2) would open the target
      moved += 1;
      await rename(childPlace, joinBytes(folder, Buffer.from(`${prefix}-${moved}`))).catch(unlessGone);
    }
    return rmdir(place);
  };
  for (;;) {
    const entries = await listBytes(folder);
    if (entries.length === 0) return;
    for (const entry of entries) await removeEntry(entry.name, entry.isDirectory());
  }
}

/** A recursive removal that has failed may still be removing. */
function unlessGone(err: unknown): void {
  if (errorCode(err) !== 'ENOENT') throw err;
}

/** Another user's folder may be open without. What stays closed is found out when it is read. */
async function open(place: BytePath): Promise<void> {
  await chmod(place, OPEN_MODE).catch(() => {});
}
