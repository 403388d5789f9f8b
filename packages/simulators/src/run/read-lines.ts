import type { SimulatorDriver } from '../driver.js';

/** What the lines of a run say, one after the other. */
export interface RunLines {
  /** Histories that are done, if the line says so. */
  read(line: string): number | undefined;
  /** How many histories the simulator says that it has simulated; undefined: it has not said so. */
  countedPrimaries(): number | undefined;
}

/**
 * @param primaries - that the task was asked for
 * @param events - of each run of the task's deck, as the driver lists them; absent: one run, an event a history
 */
export function readRunLines(
  driver: Pick<SimulatorDriver, 'progress' | 'countHistories'>,
  primaries: number,
  events?: readonly number[],
): RunLines {
  let counted: number | undefined;
  const before = addUp(events ?? []);
  const total = before.at(-1) ?? 0;
  return {
    read(line) {
      const count = driver.countHistories?.(line);
      if (count !== undefined) counted = (counted ?? 0) + count;
      const progress = driver.progress(line);
      if (progress === undefined || total === 0) return progress?.done;
      const { done, run = 0 } = progress;
      return Math.floor((primaries * Math.min(total, (before[run] ?? total) + done)) / total);
    },
    countedPrimaries: () => counted,
  };
}

/** Events before each run, and last those of all. */
function addUp(events: readonly number[]): number[] {
  const sums = [0];
  for (const count of events) sums.push((sums.at(-1) ?? 0) + count);
  return sums;
}
