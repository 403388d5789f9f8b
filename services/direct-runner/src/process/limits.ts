import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { groupMembers, residentBytes } from '@tally/launcher';
import type { Clock } from '@tally/service-kit';
import type { LimitName } from '../domain/task.js';

/** What one task may use. */
export interface TaskLimits {
  readonly taskTimeLimitMs: number;
  readonly taskMemoryBytesMax: number;
  readonly taskOutputBytesMax: number;
  /** How often memory and folder size are looked at. */
  readonly limitCheckMs: number;
}

/** Counted for every file and folder, so that empty ones are not free. */
const ENTRY_BYTES = 4096;

/**
 * Watches a process group and its folder. The signal aborts with a {@link LimitName} when a limit is broken; nothing is
 * stopped here.
 */
export function watchLimits(
  limits: TaskLimits,
  groupId: number,
  folder: string,
  clock: Clock,
): { readonly broken: AbortSignal; end(): void } {
  const broken = new AbortController();
  const ended = new AbortController();
  const breakLimit = (name: LimitName) => {
    if (!ended.signal.aborted) broken.abort(name);
    ended.abort();
  };
  const watchTime = async () => {
    await clock.sleep(limits.taskTimeLimitMs, ended.signal);
    breakLimit('time-limit');
  };
  const watchUse = async () => {
    while (!ended.signal.aborted) {
      if (residentBytes(groupMembers(groupId)) > limits.taskMemoryBytesMax) return breakLimit('memory-limit');
      if ((await folderBytes(folder)) > limits.taskOutputBytesMax) return breakLimit('output-limit');
      await clock.sleep(limits.limitCheckMs, ended.signal);
    }
  };
  void watchTime();
  void watchUse();
  return { broken: broken.signal, end: () => ended.abort() };
}

/** Size of everything below a folder; links are counted, not followed. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  let entries: string[];
  try {
    entries = await readdir(folder, { recursive: true });
  } catch {
    return 0; // removed while we looked
  }
  for (const entry of entries) {
    const size = await lstat(path.join(folder, entry)).then((stat) => (stat.isFile() ? stat.size : 0), () => 0); // biome-ignore format: one line
    bytes += ENTRY_BYTES + size;
  }
  return bytes;
}
