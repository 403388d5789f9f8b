import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TaskLog } from '../domain/ports.js';

/**
 * A task's log as a file: the first half of `bytesMax` as it comes; of the rest the last half is held in memory and
 * written at the end, below a line that says how much was left out.
 *
 * @param hidden - a path that is written as `.`: users need not know where a runner works
 */
export function openLogFile(path: string, bytesMax: number, hidden: string): TaskLog & { close(): void } {
  let sizeBytes = existsSync(path) ? statSync(path).size : 0;
  let descriptor: number | undefined = openSync(path, 'a', 0o600);
  const headBytesMax = Math.floor(bytesMax / 2);
  const tail: Buffer[] = [];
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
      const oldest = tail.shift()?.length ?? 0;
      tailBytes -= oldest;
      droppedBytes += oldest;
    }
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    write(line) {
      const bytes = Buffer.from(`${line.replaceAll(hidden, '.')}\n`);
      if (tailBytes === 0 && droppedBytes === 0 && sizeBytes + bytes.length <= headBytesMax) append(bytes);
      else hold(bytes);
    },
    finish() {
      if (droppedBytes > 0) append(Buffer.from(`[… ${droppedBytes} bytes left out …]\n`));
      if (tail.length > 0) append(Buffer.concat(tail));
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
      tail.length = 0;
    },
  };
}
