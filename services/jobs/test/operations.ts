import { hasReason } from '@tally/service-kit';
import type { AttemptEnd, AttemptLimits } from '../src/domain/attempt.js';
import { claimMerge } from '../src/domain/direct/claim-merge.js';
import { claimTask } from '../src/domain/direct/claim-task.js';
import { reportMergeEnd } from '../src/domain/direct/report-merge-end.js';
import { decideTaskEnd } from '../src/domain/direct/report-task-end.js';
import type { AttemptId, RunnerId } from '../src/domain/task.js';
import type { Database } from '../src/storage/database.js';
import { createJobStore } from '../src/storage/job-store.js';
import { createLeaseStore } from '../src/storage/lease-store.js';
import { createStateStore } from '../src/storage/state-store.js';
import { SILENT_NOTIFIER } from './silent-notifier.js';

const unlessNotClaimable = (err: unknown) => {
  if (hasReason(err, 'ATTEMPT_NOT_CLAIMABLE') || hasReason(err, 'MERGE_NOT_CLAIMABLE')) return undefined;
  throw err;
};

/** What runners and the sweep do, on a database, without a service around it. */
export function openOperations(database: Database, limits: AttemptLimits, leaseMs: number) {
  const states = createStateStore(database, SILENT_NOTIFIER, () => {});
  const leases = createLeaseStore(database);
  const ports = { states, leases, limits, leaseMs, workerLeaseMs: leaseMs };
  const endAttempt = (attemptId: AttemptId, end: AttemptEnd) =>
    states.changeTasks([{ attemptId, need: 'end' }], (draft) => {
      const attempt = draft.findAttempt(attemptId);
      const asked = attempt === undefined ? 0n : draft.task(attempt.taskKey).requestedPrimaries;
      const taskEnd = end.kind === 'completed' ? { kind: end.kind, simulatedPrimaries: asked } : end;
      return decideTaskEnd(draft, attemptId, taskEnd, ports);
    });
  const endMerge = (id: string, runner: RunnerId | undefined, end: AttemptEnd) =>
    reportMergeEnd(ports, id, runner, end);
  const sweepMerges = async () => {
    for (const id of (await leases.listExpired(100)).merges) await endMerge(id, undefined, { kind: 'lost' });
  };
  return {
    ports,
    jobs: createJobStore(database),
    /** Undefined: not claimable. */
    claimTask: (id: AttemptId, runner: RunnerId) => claimTask(ports, id, runner).catch(unlessNotClaimable),
    claimMerge: (id: string, runner: RunnerId) => claimMerge(ports, id, runner).catch(unlessNotClaimable),
    endAttempt,
    endMerge,
    sweepMerges,
    sweep: async () => {
      for (const id of (await leases.listExpired(100)).attempts) await endAttempt(id, { kind: 'lost' });
      await sweepMerges();
    },
  };
}
