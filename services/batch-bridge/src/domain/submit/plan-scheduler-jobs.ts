import { COLLECT_ORDINAL, type SchedulerJob } from '../submission.js';

/** The collect job and the arrays for tasks 1 to `taskCount`, at most `arrayTasksMax` tasks in an array. */
export function planSchedulerJobs(taskCount: number, arrayTasksMax: number): SchedulerJob[] {
  const state = { kind: 'planned' } as const;
  const arrays = Array.from({ length: Math.ceil(taskCount / arrayTasksMax) }, (_, i) => {
    const firstTask = 1 + i * arrayTasksMax;
    return { ordinal: i + 1, firstTask, taskCount: Math.min(arrayTasksMax, taskCount - firstTask + 1), state };
  });
  return [{ ordinal: COLLECT_ORDINAL, firstTask: 0, taskCount: 0, state }, ...arrays];
}
