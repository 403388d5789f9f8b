import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../error-code.js';

/** What a file system says that has no hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Writes a file whole or not at all; when it resolves it survives a power cut. Replaces what was there. */
export async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  await rename(await writeBeside(file, content), file);
  await syncFolder(path.dirname(file));
}

/** Resolves to the name of a file with that content in the same folder. */
async function writeBeside(file: string, content: Uint8Array | string): Promise<string> {
  const unfinished = `${file}.${randomUUID()}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return unfinished;
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

/**
 * Writes a file whole, unless there is one: of several that try at once, one wins. Resolves to whether it was this one.
 * On file systems without hard links a reader may see the file before it is whole.
 */
export async function createDurably(file: string, content: Uint8Array | string): Promise<boolean> {
  const unfinished = await writeBeside(file, content);
  try {
    await link(unfinished, file);
  } catch (err) {
    const code = errorCode(err) ?? '';
    if (code === 'EEXIST') return (await stat(unfinished)).nlink > 1; // a network file system may repeat a link
    if (!WITHOUT_LINKS.has(code)) throw err;
    return await createInPlace(file, content);
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(path.dirname(file));
  return true;
}

async function createInPlace(file: string, content: Uint8Array | string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (err) {
    if (errorCode(err) === 'EEXIST') return false;
    throw err;
  }
}
