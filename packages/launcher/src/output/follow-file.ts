import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '@tally/service-kit/clock';
import { READ_UNTRUSTED } from '../files/open-flags.js';
import { createLineSplitter } from './line-splitter.js';

const CHUNK_BYTES = 64 * 1024;
/** Most that one look reads, from the end: a file of holes could have any size, and only its last lines say how far a run is. */
const LOOK_BYTES_MAX = 1024 * 1024;
/** Folders below the simulator's own that are looked into; a hostile one could have any number. */
const FOLDERS_MAX = 16;

export interface FollowOptions {
  /** How often the file is read. */
  readonly intervalMs: number;
  readonly lineBytesMax: number;
  readonly onLine: (line: string) => void;
}

/**
 * Reads a file that a simulator writes while it runs, at most one folder below its own, line by line as it grows. What it grows by
 * faster than a megabyte a look is passed over.
 * @param pattern - of the path within `folder`, with `/`; the first file that fits is followed
 */
export function followFile(folder: string, pattern: RegExp, options: FollowOptions): { end(): Promise<void> } {
  const stopped = new AbortController();
  const splitter = createLineSplitter(options.lineBytesMax, options.onLine);
  let found: string | undefined;
  let position = 0;
  const readOn = async (): Promise<void> => {
    found ??= await findFile(folder, pattern);
    if (found === undefined) return;
    position = await readFrom(found, position, (chunk) => splitter.push(chunk));
  };
  // the simulator may remove it at any moment: progress is not worth a task
  const tryToReadOn = () => readOn().catch(() => undefined);
  const running = (async () => {
    for (let isLast = false; !isLast; ) {
      await systemClock.sleep(options.intervalMs, stopped.signal);
      isLast = stopped.signal.aborted; // it is read once more after the end
      await tryToReadOn();
    }
    splitter.end();
  })();
  return {
    end() {
      stopped.abort('ended');
      return running;
    },
  };
}

async function findFile(folder: string, pattern: RegExp): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).slice(0, FOLDERS_MAX);
  for (const { name } of folders) {
    const files = await readdir(path.join(folder, name), { withFileTypes: true });
    const file = files.find((entry) => entry.isFile() && pattern.test(`${name}/${entry.name}`));
    if (file !== undefined) return path.join(folder, name, file.name);
  }
  return undefined;
}

/** Gives what the file has from `position` on, of that at most the last {@link LOOK_BYTES_MAX}; resolves to where it ends now. */
async function readFrom(file: string, position: number, onChunk: (chunk: Buffer) => void): Promise<number> {
  const handle = await open(file, READ_UNTRUSTED);
  try {
    const facts = await handle.stat();
    const size = facts.isFile() ? facts.size : 0;
    let at = Math.max(position, size - LOOK_BYTES_MAX);
    while (at < size) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) break;
      onChunk(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return at;
  } finally {
    await handle.close();
  }
}
