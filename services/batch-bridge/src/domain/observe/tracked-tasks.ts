import type { JobQuery, JobTarget, Observation, SchedulerJobId } from '../scheduler.js';
import { isCollect, markerOf, type SubmissionIn } from '../submission.js';

/** Whether a record is that of a collect job, whose number is its ordinal. */
export const isCollectRecord = ({ taskId }: { readonly taskId: number }): boolean => taskId <= 0;

/** A task, or the collect job, where the scheduler has it. */
export interface TrackedTask {
  readonly taskId: number;
  /** Ordinal of its array. */
  readonly ordinal: number;
  readonly id: SchedulerJobId;
  readonly marker: string;
  /** Index in the array; absent: the collect job. */
  readonly index?: number;
}

/** Tasks of a submission whose scheduler jobs are not known to be over. */
export function trackedTasks({ jobId, phase }: SubmissionIn<'submitted'>): TrackedTask[] {
  return phase.remoteJob.schedulerJobs.flatMap((schedulerJob): TrackedTask[] => {
    const { ordinal, firstTask, taskCount, state } = schedulerJob;
    if (state.kind !== 'known') return [];
    const job = { ordinal, id: state.id, marker: markerOf(jobId, ordinal) };
    if (isCollect(schedulerJob)) return [{ ...job, taskId: ordinal }];
    return Array.from({ length: taskCount }, (_, i) => ({ ...job, taskId: firstTask + i, index: i + 1 }));
  });
}

/** By name: two submissions have one id when the scheduler has given it out again. */
const keyOf = (marker: string, index: number | undefined): string => `${marker} ${index ?? ''}`;

/** One question for many tasks: by scheduler job, with the indices that are asked about. */
export function queriesOf(tasks: readonly TrackedTask[]): JobQuery[] {
  const queries = new Map<string, { id: SchedulerJobId; marker: string; indices?: number[] }>();
  for (const { id, marker, index } of tasks) {
    const query = queries.get(marker) ?? { id, marker, ...(index === undefined ? {} : { indices: [] }) };
    if (index !== undefined) query.indices?.push(index);
    queries.set(marker, query);
  }
  return [...queries.values()];
}

/** What the scheduler shows of a task; undefined: nothing. */
export type FindObservation = (task: TrackedTask) => Observation | undefined;

export function observationsByTask(observations: readonly Observation[]): FindObservation {
  const byKey = new Map(observations.map((row) => [keyOf(row.marker, row.arrayIndex), row]));
  return ({ id, marker, index }) => {
    const row = byKey.get(keyOf(marker, index));
    return row?.schedulerJobId === id ? row : undefined;
  };
}

/** These tasks as targets of one cancel; `isWholeArrays`: with all other tasks of their arrays. */
export function targetsOf(
  tasks: readonly TrackedTask[],
  { isWholeArrays }: { readonly isWholeArrays: boolean },
): JobTarget[] {
  return queriesOf(tasks).map(({ id, indices }) => (isWholeArrays || indices === undefined ? { id } : { id, indices }));
}
