import type { SimulatorDriver } from '../driver.js';

/** What the lines of a run say, one after the other. */
export interface RunLines {
  /** Histories that are done, if the line says so. */
  read(line: string): number | undefined;
  /** How many histories the simulator says that it has simulated; undefined: it has not said so. */
  countedPrimaries(): number | undefined;
  /** For how many histories the output stands: all that were asked for, or of a run that was ended early as many as the simulator says. */
  outputPrimaries(isFinishedEarly: boolean): number;
  /** Whether the simulator ends early by itself at the appearance of the driver's `finishFile`. */
  canFinish(): boolean;
}

/**
 * @param primaries - that the task was asked for
 * @param events - of each run of the task's deck, as the driver lists them; absent: one run, an event a history
 */
export function readRunLines(
  driver: Pick<SimulatorDriver, 'progress' | 'countHistories' | 'finishFile' | 'announcesFinish'>,
  primaries: number,
  events?: readonly number[],
): RunLines {
  let counted: number | undefined;
  let canFinish = driver.finishFile !== undefined && driver.announcesFinish === undefined;
  const before = addUp(events ?? []);
  const total = before.at(-1) ?? 0;
  return {
    read(line) {
      canFinish ||= driver.announcesFinish?.(line) === true;
      const count = driver.countHistories?.(line);
      if (count !== undefined) counted = (counted ?? 0) + count;
      const progress = driver.progress(line);
      if (progress === undefined || total === 0) return progress?.done;
      const { done, run = 0 } = progress;
      return Math.floor((primaries * Math.min(total, (before[run] ?? total) + done)) / total);
    },
    countedPrimaries: () => counted,
    outputPrimaries: (isFinishedEarly) => (isFinishedEarly ? counted : undefined) ?? primaries,
    canFinish: () => canFinish,
  };
}

/** Events before each run, and last those of all. */
function addUp(events: readonly number[]): number[] {
  const sums = [0];
  for (const count of events) sums.push((sums.at(-1) ?? 0) + count);
  return sums;
}
