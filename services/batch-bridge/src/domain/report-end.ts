import type { Clock } from '@tally/service-kit';
import type { Jobs, SubmissionStore } from './ports.js';
import type { SubmissionIn } from './submission.js';

/** What {@link reportEnd} needs. */
export interface ReportEndPorts {
  readonly store: SubmissionStore;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly limits: {
    /** How long the folder of an ended job is kept. */
    readonly folderKeepHours: number;
  };
}

const HOUR_MS = 3_600_000;

/** Tells jobs that nothing more comes from the cluster. Safe to repeat. */
export async function reportEnd(
  { store, jobs, clock, limits }: ReportEndPorts,
  { jobId, phase }: SubmissionIn<'ended'>,
): Promise<void> {
  await jobs.reportBatch(jobId, { endFailure: phase.end.message });
  const now = clock.now();
  await store.setEndReported(jobId, now, new Date(now.getTime() + limits.folderKeepHours * HOUR_MS));
}
