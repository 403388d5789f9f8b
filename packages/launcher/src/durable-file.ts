import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file whole or not at all; when it resolves it survives a power cut. */
export async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(path.dirname(file));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads bytes [offset, offset + size) of a file in chunks. */
export async function* readChunks(
  file: string,
  offsetBytes: number,
  sizeBytes: number,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    for (let done = 0; done < sizeBytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, sizeBytes - done));
      const { bytesRead } = await handle.read(buffer, { position: offsetBytes + done });
      if (bytesRead === 0) throw new Error('a file is shorter than it says');
      yield buffer.subarray(0, bytesRead);
      done += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
