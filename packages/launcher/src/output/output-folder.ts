import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFolder } from '@tally/simulators';
import { OutputError } from '@tally/simulators/run';
import { READ_UNTRUSTED } from '../files/open-flags.js';
import { SMALL_BYTES_MAX } from '../files/small-file.js';

/**
 * What a simulator has left in its folder: plain files only, read whole up to `bytesMax` each. A file whose name is not UTF-8 is none
 * that a simulator was asked for, and is left out.
 */
export async function openOutputFolder(folder: string, bytesMax: number): Promise<OutputFolder> {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  const names = entries.filter((entry) => entry.isFile() && isUtf8(entry.name)).map((entry) => entry.name.toString());
  return {
    names,
    async read(name) {
      if (!names.includes(name)) throw new OutputError('MISSING', name, 'there is no such file');
      const file = path.join(folder, name);
      return readSmallOutput(file, name, bytesMax) ?? (await readOutput(file, name, bytesMax));
    },
  };
}

/** A file that has just been written, and is small, is read at once; `undefined`: it is larger. */
function readSmallOutput(file: string, name: string, bytesMax: number): Uint8Array | undefined {
  const descriptor = openSync(file, READ_UNTRUSTED);
  try {
    const stat = fstatSync(descriptor);
    requireReadable(stat, name, bytesMax);
    if (stat.size > SMALL_BYTES_MAX) return undefined;
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

async function readOutput(file: string, name: string, bytesMax: number): Promise<Uint8Array> {
  const handle = await open(file, READ_UNTRUSTED);
  try {
    requireReadable(await handle.stat(), name, bytesMax);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function requireReadable(stat: { readonly size: number; isFile(): boolean }, name: string, bytesMax: number): void {
  if (!stat.isFile()) throw new OutputError('UNREADABLE', name, 'is not a plain file');
  if (stat.size > bytesMax) throw new OutputError('UNREADABLE', name, `has ${stat.size} of at most ${bytesMax} bytes`);
}
