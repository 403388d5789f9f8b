import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A log on disk: UTF-8, append only, bounded by cutting out the middle. */
export interface LogFile {
  /** Bytes that can be read. */
  readonly sizeBytes: number;
  /** Adds a line. Never throws: a log that cannot be written is not worth a simulation. */
  write(line: string): void;
  /** Writes out what was held back because the log is long; later lines are dropped. Safe to repeat. */
  finish(): void;
  /** At most `bytesMax` bytes from `offset`. */
  read(offset: number, bytesMax: number): Promise<Uint8Array>;
  /** Lets go of the file; what is held back is lost. */
  close(): void;
}

/** Dropped lines that may stay in memory before they are let go together. */
const TAIL_SLACK = 4096;

/**
 * Opens a log, or goes on with one that is there: the first half of `bytesMax` as it comes; of the rest the last half is held in memory and
 * written at the end, below a line that says how much was left out.
 */
export function openLogFile(path: string, bytesMax: number): LogFile {
  let sizeBytes = existsSync(path) ? statSync(path).size : 0;
  let descriptor: number | undefined = openSync(path, 'a', 0o600);
  const headBytesMax = Math.floor(bytesMax / 2);
  let tail: Buffer[] = [];
  let oldest = 0; // in `tail`: shifting a long array by one is slow
  let tailBytes = 0;
  let droppedBytes = 0;

  const append = (bytes: Buffer) => {
    if (descriptor === undefined) return;
    try {
      sizeBytes += writeSync(descriptor, bytes);
    } catch {
      droppedBytes += bytes.length; // a full disk; the simulation may still end well
    }
  };
  const hold = (bytes: Buffer) => {
    tail.push(bytes);
    tailBytes += bytes.length;
    while (tailBytes > bytesMax - headBytesMax) {
      const length = tail[oldest]?.length ?? 0;
      oldest += 1;
      tailBytes -= length;
      droppedBytes += length;
    }
    if (oldest <= TAIL_SLACK) return;
    tail = tail.slice(oldest);
    oldest = 0;
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      if (tailBytes === 0 && droppedBytes === 0 && sizeBytes + bytes.length <= headBytesMax) append(bytes);
      else hold(bytes);
    },
    finish() {
      if (droppedBytes > 0) append(Buffer.from(`[… ${droppedBytes} bytes left out …]\n`));
      if (tailBytes > 0) append(Buffer.concat(tail.slice(oldest)));
      this.close();
    },
    async read(offset, lengthMax) {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(lengthMax, sizeBytes - offset)), {
          position: offset,
        });
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      tail = [];
      tailBytes = 0;
    },
  };
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
