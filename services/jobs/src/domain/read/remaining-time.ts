import type { JobWithTasks } from '../task.js';

/** Mean of numbers; 0: there are none. */
const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(numbers.length, 1);

/**
 * How long the tasks of a job still take, seconds: those that run, and those that wait, in turns of as many as run now. What one takes is
 * told by what the job's histories have taken so far. Of the rows alone, so that the same version has the same time. Undefined: no task
 * runs, or none has said how far it is.
 */
export function estimateRemaining({ state, tasks }: Pick<JobWithTasks, 'state' | 'tasks'>): number | undefined {
  if (state !== 'RUNNING' && state !== 'PENDING') return undefined;
  const secondsPerPrimary = paceOf(tasks);
  const running: number[] = [];
  const waiting: number[] = [];
  for (const [i, taskState] of tasks.states.entries()) {
    const primaries = Number((tasks.requestedPrimaries[i] ?? 0n) - (tasks.simulatedPrimaries[i] ?? 0n));
    const byPace = secondsPerPrimary === undefined ? undefined : primaries * secondsPerPrimary;
    const seconds = taskState === 'RUNNING' ? (tasks.estimatedSeconds[i] ?? byPace) : byPace;
    if (taskState !== 'RUNNING' && taskState !== 'PENDING') continue;
    if (seconds === undefined) return undefined;
    (taskState === 'RUNNING' ? running : waiting).push(seconds);
  }
  if (running.length === 0) return undefined;
  if (waiting.length === 0) return Math.max(...running);
  const turns = Math.ceil(waiting.length / running.length);
  return Math.max(Math.max(...running), meanOf(running) + turns * meanOf(waiting));
}

/** Seconds of a history, by all tasks that have begun; undefined: none has simulated one. */
function paceOf({ startTimesMs, endTimesMs, lastUpdateTimesMs, simulatedPrimaries }: JobWithTasks['tasks']) {
  let [milliseconds, primaries] = [0, 0];
  for (const [i, startMs] of startTimesMs.entries()) {
    const simulated = Number(simulatedPrimaries[i] ?? 0n);
    const untilMs = endTimesMs[i] ?? lastUpdateTimesMs[i];
    if (startMs === null || untilMs === undefined || simulated === 0) continue;
    milliseconds += Math.max(0, untilMs - startMs);
    primaries += simulated;
  }
  return primaries === 0 ? undefined : milliseconds / 1000 / primaries;
}
