import type { SchedulerJob, Submission } from '../submission.js';

/** The collect job and the arrays for the tasks of a submission, at most `arrayTasksMax` tasks in an array. */
export function planSchedulerJobs(
  { firstTask, lastTask }: Pick<Submission, 'firstTask' | 'lastTask'>,
  arrayTasksMax: number,
): SchedulerJob[] {
  const state = { kind: 'planned' } as const;
  const before = firstTask - 1;
  const arrays = Array.from({ length: Math.ceil((lastTask - before) / arrayTasksMax) }, (_, i) => {
    const first = firstTask + i * arrayTasksMax;
    return {
      ordinal: firstTask + i,
      firstTask: first,
      taskCount: Math.min(arrayTasksMax, lastTask - first + 1),
      state,
    };
  });
  // 0 - 0 is 0, where -0 is not
  return [{ ordinal: 0 - before, firstTask: 0, taskCount: 0, state }, ...arrays];
}
