import { folderBytes } from '../files/folder-bytes.js';
import { type ProcessEntry, readProcesses, readUsage, withDescendants } from './process-table.js';

/** What the processes of one command and its folder may use. */
export interface ProcessLimits {
  readonly timeLimitMs: number;
  /** Resident memory of all its processes. */
  readonly memoryBytesMax: number;
  /** Its processes and their threads. */
  readonly processCountMax: number;
  /** Size of everything below the folder. */
  readonly folderBytesMax: number;
}
export type LimitName = 'time-limit' | 'memory-limit' | 'process-limit' | 'output-limit';

/** The processes of one command. */
export interface LimitedProcesses {
  /** What was started: all others descend from it, or from an orphan. */
  readonly leader: number;
  /** Processes of this group are the command's, too; `undefined`: it has a namespace, which nothing leaves. */
  readonly groupId: number | undefined;
  /** Those that have left the group, and have lost their parent. */
  readonly listOrphans: () => readonly number[];
  readonly folder: string;
  readonly limits: ProcessLimits;
  /** Where the kernel limits memory and processes: which limit it has had to enforce. */
  readonly readBroken?: () => LimitName | undefined;
}

/** A command that is watched. */
export interface WatchedProcesses {
  /** Aborts when a limit is broken; `reason` is a {@link LimitName}. */
  readonly broken: AbortSignal;
  /**
   * Looks once more whether the kernel has enforced a limit; then no more. Of one that `hasFailed` the folder is looked at, too: it may
   * have failed because a file had become too long.
   */
  end(hasFailed: boolean): Promise<void>;
}

type Processes = ReadonlyMap<number, ProcessEntry>;

/**
 * Watches commands and their folders: all by one read of the process table, each `intervalMs`, and none while there is
 * no command that the kernel does not limit itself. Nothing is stopped here.
 */
export function createLimitWatch(intervalMs: number): { watch(limited: LimitedProcesses): WatchedProcesses } {
  const watched = new Map<LimitedProcesses, (name: LimitName) => void>();
  let timer: NodeJS.Timeout | undefined;

  const checkAll = async () => {
    const isPolled = [...watched.keys()].some(({ readBroken }) => readBroken === undefined);
    const processes: Processes = isPolled ? await readProcesses() : new Map();
    for (const [limited, breakLimit] of watched) {
      const broken = limited.readBroken === undefined ? brokenBy(limited, processes) : limited.readBroken();
      if (broken !== undefined) breakLimit(broken);
      else if ((await folderBytes(limited.folder)) > limited.limits.folderBytesMax) breakLimit('output-limit');
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
    watch(limited) {
      const broken = new AbortController();
      const forget = () => {
        clearTimeout(timeLimit);
        watched.delete(limited);
      };
      const breakLimit = (name: LimitName) => {
        if (watched.has(limited)) broken.abort(name);
        forget();
      };
      const timeLimit = setTimeout(() => breakLimit('time-limit'), limited.limits.timeLimitMs);
      watched.set(limited, breakLimit);
      schedule();
      return {
        broken: broken.signal,
        async end(hasFailed) {
          const name = limited.readBroken?.();
          if (name !== undefined) breakLimit(name);
          const { folder, limits } = limited;
          if (hasFailed && watched.has(limited) && (await folderBytes(folder)) > limits.folderBytesMax)
            breakLimit('output-limit');
          forget();
        },
      };
    },
  };
}

function brokenBy({ leader, groupId, listOrphans, limits }: LimitedProcesses, processes: Processes) {
  const isOfGroup = (entry: ProcessEntry) => groupId !== undefined && entry.groupId === groupId;
  const members = [...processes.values()].filter(isOfGroup).map(({ pid }) => pid);
  const pids = withDescendants(processes, [leader, ...members, ...listOrphans()]);
  if (pids.length > limits.processCountMax) return 'process-limit'; // too many to look at each
  let [memoryBytes, threads] = [0, 0];
  for (const pid of pids) {
    const usage = readUsage(pid);
    memoryBytes += usage.residentBytes;
    threads += usage.threads;
  }
  if (memoryBytes > limits.memoryBytesMax) return 'memory-limit';
  return threads > limits.processCountMax ? 'process-limit' : undefined;
}
