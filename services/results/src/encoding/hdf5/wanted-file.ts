import type { FileHandle } from 'node:fs/promises';
import { fail } from '../../domain/errors.js';

const READ_BYTES = 256 * 1024;
/** Least rate of reading: a piece in so long, milliseconds, 8 kB a second: a slow telephone keeps it. */
const PIECE_MS_MAX = 30_000;

/**
 * Reads a file to its end and closes it. What is not read at the least rate is closed while its reader waits, so that the file goes.
 * @param release - called once, when the file is closed
 * @throws ServiceError DOWNLOAD_TOO_SLOW
 */
export async function* readWhileWanted(
  handle: FileHandle,
  release: () => void,
  pieceMsMax = PIECE_MS_MAX,
): AsyncGenerator<Uint8Array> {
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
    release();
  };
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES);
      if (bytesRead === 0) return;
      const tooSlow = setTimeout(() => void close(), pieceMsMax);
      try {
        yield buffer.subarray(0, bytesRead);
      } finally {
        clearTimeout(tooSlow);
      }
      if (!isOpen) throw fail('DOWNLOAD_TOO_SLOW');
    }
  } finally {
    await close();
  }
}
