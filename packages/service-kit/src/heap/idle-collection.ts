import { getHeapStatistics } from 'node:v8';

/** This process as its garbage is collected. */
export interface CollectedProcess {
  /** Processor time that it has used, milliseconds. */
  readonly processorMs: () => number;
  /** JavaScript heap and what hangs on it, garbage included, bytes. */
  readonly heldBytes: () => number;
  readonly collect: () => Promise<void>;
}

const INTERVAL_MS = 5_000;
/** A process that uses less of a core is idle. */
const IDLE_CORES = 0.05;
/** A collection takes 20 to 60 ms; the young generation alone goes up and down by as much. */
const GROWTH_BYTES_MIN = 16 * 1024 * 1024;

/**
 * Collects the garbage of what a process has done once it is idle. V8 collects the old generation when it has grown to a limit
 * (`--initial-old-space-size`, docker/Dockerfile), so that garbage below it stays as long as nothing else happens.
 * @returns what is to be called after each interval
 */
export function createIdleCollector(
  { processorMs, heldBytes, collect }: CollectedProcess,
  intervalMs: number,
): () => Promise<void> {
  let usedMs = processorMs();
  let keptBytes = 0;
  return async () => {
    const beforeMs = usedMs;
    usedMs = processorMs();
    if (usedMs - beforeMs >= IDLE_CORES * intervalMs || heldBytes() < keptBytes + GROWTH_BYTES_MIN) return;
    await collect();
    keptBytes = heldBytes();
    usedMs = processorMs();
  };
}

/** Does so until the process ends, where Node was started with `--expose-gc`. */
export function startIdleCollection(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const heldBytes = () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external;
  };
  const processorMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const collect = () => gc({ type: 'major', execution: 'async' });
  const check = createIdleCollector({ processorMs, heldBytes, collect }, INTERVAL_MS);
  setInterval(() => void check(), INTERVAL_MS).unref();
}
