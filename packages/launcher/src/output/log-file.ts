import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A log on disk: UTF-8, append only, bounded by cutting out the middle. */
export interface LogFile {
  /** Bytes that can be read. */
  readonly sizeBytes: number;
  /** Adds a line. Never throws: a log that cannot be written is not worth a simulation. */
  write(line: string): void;
  /** Writes out what was kept back because the log is long; later lines are dropped. Safe to repeat. */
  finish(): void;
  /** At most `bytesMax` bytes from `offset`. */
  read(offset: number, bytesMax: number): Promise<Uint8Array>;
  /** Lets go of the file; what is kept back is lost. */
  close(): void;
}

/** Dropped lines that may stay in memory before they are released together. */
const TAIL_SLACK = 4096;
/** A log of at most this size that was begun here is kept in memory, too: whoever sends it need not read the disk. */
const COPY_BYTES_MAX = 16 * 1024;

/**
 * Opens a log, or continues one that is there: the first half of `bytesMax` as it comes; of the rest the last half is
 * kept in memory and written at the end, below a line that says how much was left out. Lines that come together, in one
 * piece of a simulator's output, are written together; they are on disk before anything else of this process runs.
 */
export function openLogFile(path: string, bytesMax: number): LogFile {
  let sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let descriptor: number | undefined = openSync(path, 'a', 0o600);
  let copy = sizeBytes === 0 ? Buffer.alloc(0) : undefined;
  const headBytesMax = Math.floor(bytesMax / 2);
  const tail = createTail(bytesMax - headBytesMax);
  let block: Buffer[] = [];
  let blockBytes = 0;
  let lostBytes = 0;

  const append = (bytes: Buffer) => {
    if (descriptor === undefined) return;
    try {
      const written = writeSync(descriptor, bytes);
      sizeBytes += written;
      const isCopied = copy !== undefined && sizeBytes <= COPY_BYTES_MAX;
      copy = isCopied ? Buffer.concat([copy ?? bytes, bytes.subarray(0, written)]) : undefined;
    } catch {
      lostBytes += bytes.length; // a full disk; the simulation may still end well
    }
  };
  const flush = () => {
    if (blockBytes === 0) return;
    const bytes = Buffer.concat(block, blockBytes);
    block = [];
    blockBytes = 0;
    append(bytes);
  };
  return {
    get sizeBytes() {
      flush();
      return sizeBytes;
    },
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      const isHead = tail.isEmpty() && lostBytes === 0 && sizeBytes + blockBytes + bytes.length <= headBytesMax;
      if (!isHead) return tail.add(bytes);
      if (blockBytes === 0) queueMicrotask(flush);
      block.push(bytes);
      blockBytes += bytes.length;
    },
    finish() {
      flush();
      const { droppedBytes, kept } = tail.take();
      if (droppedBytes + lostBytes > 0) append(Buffer.from(`[… ${droppedBytes + lostBytes} bytes left out …]\n`));
      if (kept.length > 0) append(kept);
      this.close();
    },
    async read(offset, lengthMax) {
      const length = Math.min(lengthMax, this.sizeBytes - offset);
      return copy === undefined ? await readPart(path, offset, length) : copy.subarray(offset, offset + length);
    },
    close() {
      flush();
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** The last lines of at most `bytesMax` together. */
function createTail(bytesMax: number) {
  let lines: Buffer[] = [];
  let oldest = 0; // in `lines`: shifting a long array by one is slow
  let keptBytes = 0;
  let droppedBytes = 0;
  return {
    /** Whether nothing was ever added. */
    isEmpty: () => keptBytes === 0 && droppedBytes === 0,
    add(line: Buffer) {
      lines.push(line);
      keptBytes += line.length;
      while (keptBytes > bytesMax) {
        const length = lines[oldest]?.length ?? 0;
        oldest += 1;
        keptBytes -= length;
        droppedBytes += length;
      }
      if (oldest <= TAIL_SLACK) return;
      lines = lines.slice(oldest);
      oldest = 0;
    },
    /** What is kept, and how much is not; then nothing of either. */
    take() {
      const taken = { kept: Buffer.concat(lines.slice(oldest)), droppedBytes };
      [lines, oldest, keptBytes, droppedBytes] = [[], 0, 0, 0];
      return taken;
    },
  };
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), { position: offset });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Length of the longest beginning of UTF-8 bytes that does not end within a character. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue; // inside a character
    const size = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
