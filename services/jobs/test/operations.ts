import { sql } from '@tally/service-kit';
import type { AttemptEnd, AttemptLimits } from '../src/domain/attempt.js';
import { exchangeTasks } from '../src/domain/direct/exchange-tasks.js';
import { decideTaskEnd } from '../src/domain/direct/report-task-end.js';
import { decideMergeEnd, decideMergeStart } from '../src/domain/duties/merge-job.js';
import type { JobId } from '../src/domain/job.js';
import type { AttemptId, RunnerId } from '../src/domain/task.js';
import type { Database } from '../src/storage/database.js';
import { createJobStore } from '../src/storage/job-store.js';
import { createLeaseStore } from '../src/storage/lease-store.js';
import { createStateStore } from '../src/storage/state-store.js';
import { createSubmissionStore } from '../src/storage/submission-store.js';
import { SILENT_NOTIFIER } from './silent-notifier.js';

/** Stores what users submit, without quotas, and announces it to nobody. */
export const openSubmissions = (database: Database) =>
  createSubmissionStore(
    database,
    {
      idempotencyKeyHours: 1,
      removalDelayMs: 0,
      submitDelayMs: 0,
      submissionTimeoutMs: 60_000,
      quotas: { openJobsPerUserMax: 0, openTasksPerUserMax: 0, queuedPrimariesPerUserMax: 0 },
    },
    () => {},
  );

/** What runners, the sweep and who merges do, on a database, without a service around it. */
export function openOperations(database: Database, limits: AttemptLimits, leaseMs: number) {
  const states = createStateStore(
    database,
    SILENT_NOTIFIER,
    () => {},
    () => {},
  );
  const leases = createLeaseStore(database);
  const ports = { states, leases, limits, leaseMs, workerLeaseMs: leaseMs };
  const endAttempt = (attemptId: AttemptId, end: AttemptEnd) =>
    states.changeTasks([{ attemptId, need: 'end' }], (draft) => {
      const attempt = draft.findAttempt(attemptId);
      const asked = attempt === undefined ? 0n : draft.task(attempt.taskKey).requestedPrimaries;
      const taskEnd = end.kind === 'completed' ? { kind: end.kind, simulatedPrimaries: asked } : end;
      return decideTaskEnd(draft, attemptId, taskEnd, ports);
    });
  const mergeOf = async (jobId: JobId) => {
    const row = await database.row(
      sql<{ id: string }>`SELECT id FROM duties WHERE job_id = ${jobId} AND kind = 'merge'`,
    );
    return row?.id ?? 'none';
  };
  const startMerge = async (jobId: JobId, mergeId?: string) => {
    const id = mergeId ?? (await mergeOf(jobId));
    return states.changeJob({ jobId }, 'tally', (draft) => decideMergeStart(draft, jobId, id));
  };
  return {
    ports,
    jobs: createJobStore(database),
    mergeOf,
    /** Undefined: not claimable. */
    claimTask: async (id: AttemptId, runner: RunnerId) =>
      (await exchangeTasks(ports, runner, { progress: [], ends: [], claims: [id], executables: new Map() })).orders[0],
    /** The one that is open unless given. Undefined: there is nothing to merge. */
    startMerge,
    endMerge: async (jobId: JobId, mergeId?: string) => {
      const end = { jobId, mergeId: mergeId ?? (await mergeOf(jobId)), relativeError: undefined };
      return states.changeJob({ jobId }, 'tally', (draft) => decideMergeEnd(draft, end));
    },
    /** An external worker that is waited for is silent for its lease. */
    loseMerge: async (jobId: JobId) => {
      await database.run(sql`
        UPDATE duties SET next_try_at = now() - interval '1 s' WHERE job_id = ${jobId} AND kind = 'merge'`);
      return startMerge(jobId);
    },
    endAttempt,
    sweep: async () => {
      for (const id of await leases.listExpired(100)) await endAttempt(id, { kind: 'lost' });
    },
  };
}
