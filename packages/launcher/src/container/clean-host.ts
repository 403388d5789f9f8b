import type { Stats } from 'node:fs';
import { chmod, lstat, readFile, unlink } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import { type BytePath, joinBytes, listBytes } from '../files/byte-names.js';
import { removeStubbornFolder } from '../files/stubborn-folder.js';

const TRIES_MAX = 5;
const READ_WRITE = 0o660;
const FOLDER_MODE = 0o770;
const MODE_BITS = 0o7777;

/** Where this process sees file systems mounted (proc(5), /proc/self/mountinfo: the fifth field, blanks as octal). */
export async function mountPoints(): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).trimEnd().split('\n');
  return lines.map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCodePoint(Number.parseInt(octal, 8)),
    ),
  );
}

/**
 * Removes what a folder holds, but not the kept paths, and what leads to them. The runner may remove some of it at the same
 * time.
 */
export async function removeEntries(folder: string, kept: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      for (const entry of await listBytes(folder)) {
        const place = joinBytes(folder, entry.name);
        const shown = place.toString();
        if (kept.includes(shown)) continue;
        if (kept.some((one) => one.startsWith(`${shown}/`))) await removeEntries(shown, kept);
        else if (!entry.isDirectory()) await unlink(place);
        else await removeStubbornFolder(place);
      }
      return;
    } catch (err) {
      if (tries === TRIES_MAX || !['ENOENT', 'ENOTEMPTY'].includes(errorCode(err) ?? '')) throw err;
    }
  }
}

/**
 * Lets the runner, which is of the same group, read and remove what is below a folder, whatever modes the simulator has
 * given it. What lies deeper than a path can name, nobody can read: the folder of `folder` that holds it is removed.
 * Nothing may run meanwhile: links are looked at before they would be followed.
 */
export async function shareEntries(folder: string): Promise<void> {
  for (const { name } of await listBytes(folder)) {
    const place = joinBytes(folder, name);
    try {
      await shareEntry(place);
    } catch (err) {
      if (errorCode(err) !== 'ENAMETOOLONG') throw err;
      await removeStubbornFolder(place);
    }
  }
}

async function shareEntry(place: BytePath): Promise<void> {
  const stat = await lstat(place);
  const isFolder = stat.isDirectory();
  if (isFolder || stat.isFile()) await addMode(place, stat, isFolder ? FOLDER_MODE : READ_WRITE);
  if (!isFolder) return;
  for (const { name } of await listBytes(place)) await shareEntry(joinBytes(place, name));
}

async function addMode(place: BytePath, { mode }: Stats, wanted: number): Promise<void> {
  if ((mode & wanted) === wanted) return;
  await chmod(place, (mode & MODE_BITS) | wanted).catch((err: unknown) => {
    if (errorCode(err) !== 'EPERM') throw err; // the runner's own: it can do with it what it likes
  });
}
