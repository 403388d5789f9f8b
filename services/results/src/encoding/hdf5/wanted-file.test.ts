import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { readWhileWanted } from './wanted-file.js';

it('gives its place away when its reader takes nothing for so long, and tells the reader', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'wanted-'));
  try {
    const file = path.join(folder, 'a');
    await writeFile(file, Buffer.alloc(1_000_000));
    const handle = await open(file, 'r');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reading = readWhileWanted(handle, release, 20);
    expect((await reading.next()).done).toBe(false);
    await released; // nobody asks for the next piece
    await expect(reading.next()).rejects.toMatchObject({ reason: 'DOWNLOAD_TOO_SLOW' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
