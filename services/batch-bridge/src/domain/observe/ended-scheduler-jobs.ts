import { type SchedulerJob, type SchedulerJobState, taskIdsOf } from '../submission.js';
import type { SchedulerEnd, TaskRecords } from './task-record.js';

/** Scheduler jobs all of whose tasks have ended, by ordinal. */
export function endedSchedulerJobs(
  schedulerJobs: readonly SchedulerJob[],
  records: TaskRecords,
): ReadonlyMap<number, SchedulerJobState> {
  const ended = new Map<number, SchedulerJobState>();
  for (const job of schedulerJobs) {
    const { ordinal, state } = job;
    if (state.kind !== 'known') continue;
    const taskIds = taskIdsOf(job);
    const ends = taskIds.flatMap((taskId) => records.get(taskId)?.end ?? []);
    if (ends.length < taskIds.length) continue;
    const isLostWhole = ends.every(({ outcome }) => outcome === 'lost');
    ended.set(ordinal, {
      ...state,
      ...(isLostWhole ? { kind: 'lost' } : { kind: 'ended', description: summaryOf(ends) }),
    });
  }
  return ended;
}

/** `completed 497, failed 3` */
function summaryOf(ends: readonly SchedulerEnd[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of ends) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
}
