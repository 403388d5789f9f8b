const GAIN = 0.1;
const UNITS_MIN = 3_000;
const WINDOWS = { enough: 6, max: 10 };
export const WARM_UP_WINDOW_MS = 1_500;

/**
 * Works until a window does not take a tenth less processor time a unit than the one before, after three thousand units
 * or 9 s: compilers take as many to do their work.
 * @param window - works for {@link WARM_UP_WINDOW_MS}; resolves to the number of units
 */
export async function warmUp(processes, window) {
  let last = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let i = 1; i <= WINDOWS.max; i++) {
    const before = processes.now();
    const units = await window();
    const { total, generatorCores, wall } = processes.since(before);
    const each = (total + generatorCores * wall) / Math.max(1, units);
    sum += units;
    if (each > (1 - GAIN) * last && (sum >= UNITS_MIN || i >= WINDOWS.enough)) return;
    last = each;
  }
}

/** {@link warmUp} by pieces of work, one after the other of each caller. */
export const warmUpBy = (processes, work, callers = 1) =>
  warmUp(processes, () => repeat(work, callers, WARM_UP_WINDOW_MS));

/** Pieces of work for a time, one after the other of each caller; resolves to how many. */
export async function repeat(work, callers, ms) {
  const until = performance.now() + ms;
  let count = 0;
  const caller = async () => {
    while (performance.now() < until) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return count;
}
