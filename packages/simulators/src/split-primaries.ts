/** What one task simulates: histories [firstHistory, firstHistory + primaries) of the job. */
export interface TaskPrimaries {
  /** From 1. */
  readonly taskId: number;
  readonly primaries: number;
  /** Number of the task's first history within the job, from 0. */
  readonly firstHistory: number;
}

/**
 * Divides a job's primaries among its tasks: ⌊N/n⌋ each, and one more for the first N mod n. The sum is exactly N.
 * @throws RangeError unless both are positive integers and there is at least one primary for each task
 */
export function splitPrimaries(total: number, taskCount: number): TaskPrimaries[] {
  if (!Number.isSafeInteger(total) || !Number.isSafeInteger(taskCount) || taskCount < 1 || total < taskCount) {
    throw new RangeError(`cannot split ${total} primaries among ${taskCount} tasks`);
  }
  const share = Math.floor(total / taskCount);
  const remainder = total % taskCount;
  return Array.from({ length: taskCount }, (_, index) => ({
    taskId: index + 1,
    primaries: share + (index < remainder ? 1 : 0),
    firstHistory: index * share + Math.min(index, remainder),
  }));
}
