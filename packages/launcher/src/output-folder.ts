import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { OutputError, type OutputFolder } from '@tally/simulators';

/** What a simulator has left in its folder: plain files only, read whole up to `bytesMax` each. */
export async function openOutputFolder(folder: string, bytesMax: number): Promise<OutputFolder> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return {
    names,
    read: (name) => {
      if (!names.includes(name)) throw new OutputError('MISSING', name, 'there is no such file');
      return readOutputFile(path.join(folder, name), name, bytesMax);
    },
  };
}

async function readOutputFile(file: string, name: string, bytesMax: number): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    if (size > bytesMax) throw new OutputError('UNREADABLE', name, `has ${size} of at most ${bytesMax} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
