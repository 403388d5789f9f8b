import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '@tally/launcher';

/**
 * The bytes of a plain file that is not too long; links are not followed.
 * @param check - may refuse the open file by throwing
 */
export async function readBounded(
  file: string,
  bytesMax: number,
  check: (handle: FileHandle) => Promise<void> = async () => {},
): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${file} is not a plain file`);
    if (stat.size > bytesMax) throw new Error(`${file} has more than ${bytesMax} bytes`);
    await check(handle);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(stat.size), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The same; `undefined` where there is no such file. */
export async function readIfThere(file: string, bytesMax: number): Promise<Buffer | undefined> {
  try {
    return await readBounded(file, bytesMax);
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return undefined;
    throw err;
  }
}
