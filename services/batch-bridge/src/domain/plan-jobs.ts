import type { Uploaded } from './ports.js';
import { COLLECT_ORDINAL } from './submission.js';

/** The collect job and the arrays for tasks 1 to `taskCount`, at most `arrayTasksMax` tasks in an array. */
export function planJobs(taskCount: number, arrayTasksMax: number): Uploaded['jobs'] {
  const arrayCount = Math.ceil(taskCount / arrayTasksMax);
  const arrays = Array.from({ length: arrayCount }, (_, i) => {
    const firstTask = 1 + i * arrayTasksMax;
    return { ordinal: i + 1, firstTask, taskCount: Math.min(arrayTasksMax, taskCount - firstTask + 1) };
  });
  return [{ ordinal: COLLECT_ORDINAL, firstTask: 0, taskCount: 0 }, ...arrays];
}
