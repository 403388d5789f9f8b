import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TaskLog } from '../domain/ports.js';

/** Dropped lines that may stay in memory before they are let go together. */
const TAIL_SLACK = 4096;

/**
 * A task's log as a file: the first half of `bytesMax` as it comes; of the rest the last half is held in memory and
 * written at the end, below a line that says how much was left out.
 */
export function openLogFile(path: string, bytesMax: number): TaskLog & { close(): void } {
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
