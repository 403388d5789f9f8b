import type { JobTarget, Observation, SchedulerJobId, WatchedJob } from './scheduler.js';
import { COLLECT_ORDINAL, type SubmissionIn } from './submission.js';

/** Number of the collect job among the records of a job's tasks. */
export const COLLECT_TASK_ID = 0;

/** A task, or the collect job, where the scheduler has it. */
export interface WatchedTask {
  readonly taskId: number;
  /** Ordinal of its array. */
  readonly ordinal: number;
  readonly id: SchedulerJobId;
  readonly marker: string;
  /** Index in the array; absent: the collect job. */
  readonly index?: number;
}

/** Tasks of a submission whose scheduler jobs are not known to be over. */
export function watchedTasks({ phase }: SubmissionIn<'submitted'>): WatchedTask[] {
  return phase.jobs.flatMap(({ ordinal, marker, firstTask, taskCount, state }): WatchedTask[] => {
    if (state.kind !== 'known') return [];
    const job = { ordinal, id: state.id, marker };
    if (ordinal === COLLECT_ORDINAL) return [{ ...job, taskId: COLLECT_TASK_ID }];
    return Array.from({ length: taskCount }, (_, i) => ({ ...job, taskId: firstTask + i, index: i + 1 }));
  });
}

const keyOf = (id: SchedulerJobId, index: number | undefined): string => `${id}_${index ?? ''}`;

/** One question for many tasks: by scheduler job, with the indices that are asked about. */
export function watchedJobs(tasks: readonly WatchedTask[]): WatchedJob[] {
  const jobs = new Map<string, { id: SchedulerJobId; marker: string; indices?: number[] }>();
  for (const { id, marker, index } of tasks) {
    const job = jobs.get(marker) ?? { id, marker, ...(index === undefined ? {} : { indices: [] }) };
    if (index !== undefined) job.indices?.push(index);
    jobs.set(marker, job);
  }
  return [...jobs.values()];
}

/** What was seen, by task. */
export function sightings(observations: readonly Observation[]): (task: WatchedTask) => Observation | undefined {
  const seen = new Map(observations.map((row) => [keyOf(row.schedulerJobId, row.arrayIndex), row]));
  return ({ id, index }) => seen.get(keyOf(id, index));
}

/** These tasks as targets of one cancel: whole arrays, where `isWhole`. */
export function targetsOf(tasks: readonly WatchedTask[], { isWhole }: { readonly isWhole: boolean }): JobTarget[] {
  return watchedJobs(tasks).map(({ id, indices }) => (isWhole || indices === undefined ? { id } : { id, indices }));
}
