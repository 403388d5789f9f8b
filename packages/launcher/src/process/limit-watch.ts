import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { groupMemory } from './process-table.js';

/** What the processes of one command and its folder may use. */
export interface ProcessLimits {
  readonly timeLimitMs: number;
  /** Resident memory of the process group. */
  readonly memoryBytesMax: number;
  /** Size of everything below the folder. */
  readonly folderBytesMax: number;
}
export type LimitName = 'time-limit' | 'memory-limit' | 'output-limit';

export interface LimitedGroup {
  readonly groupId: number;
  readonly folder: string;
  readonly limits: ProcessLimits;
}

/** A group that is watched. */
export interface WatchedGroup {
  /** Aborts when a limit is broken; `reason` is a {@link LimitName}. */
  readonly broken: AbortSignal;
  end(): void;
}

/** Counted for every file and folder, so that empty ones are not free. */
const ENTRY_BYTES = 4096;

/**
 * Watches process groups and their folders: all groups by one read of the process table, each `intervalMs`, and none
 * while there is no group. Nothing is stopped here.
 */
export function createLimitWatch(intervalMs: number): { watch(group: LimitedGroup): WatchedGroup } {
  const watched = new Map<LimitedGroup, (name: LimitName) => void>();
  let timer: NodeJS.Timeout | undefined;

  const checkAll = async () => {
    const memory = await groupMemory(new Set([...watched.keys()].map(({ groupId }) => groupId)));
    for (const [group, breakLimit] of watched) {
      if ((memory.get(group.groupId) ?? 0) > group.limits.memoryBytesMax) breakLimit('memory-limit');
      else if ((await folderBytes(group.folder)) > group.limits.folderBytesMax) breakLimit('output-limit');
    }
  };
  const schedule = () => {
    if (timer !== undefined || watched.size === 0) return;
    const check = () =>
      void checkAll().finally(() => {
        timer = undefined;
        schedule();
      });
    timer = setTimeout(check, intervalMs);
    timer.unref();
  };
  return {
    watch(group) {
      const broken = new AbortController();
      const end = () => {
        clearTimeout(timeLimit);
        watched.delete(group);
      };
      const breakLimit = (name: LimitName) => {
        if (watched.has(group)) broken.abort(name);
        end();
      };
      const timeLimit = setTimeout(() => breakLimit('time-limit'), group.limits.timeLimitMs);
      watched.set(group, breakLimit);
      schedule();
      return { broken: broken.signal, end };
    },
  };
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
