import type { ObservedState } from '../../domain/scheduler.js';

const pending: ObservedState = { kind: 'pending', isStuck: false };
const stuck: ObservedState = { kind: 'pending', isStuck: true };
const running: ObservedState = { kind: 'running' };
const completed: ObservedState = { kind: 'ended', outcome: 'completed' };
const canceled: ObservedState = { kind: 'ended', outcome: 'canceled' };
const failed: ObservedState = { kind: 'ended', outcome: 'failed' };

/**
 * Every state of squeue(1) and sacct(1), Slurm 22.05 to 25.05. COMPLETING still has processes: it counts as running. A job
 * that runs again after a failure of its node is PENDING: NODE_FAIL is seen only of one that does not.
 */
const STATES: Readonly<Record<string, ObservedState>> = {
  PENDING: pending,
  CONFIGURING: pending,
  REQUEUED: pending,
  REQUEUE_FED: pending,
  POWER_UP_NODE: pending,
  REQUEUE_HOLD: stuck,
  RESV_DEL_HOLD: stuck,
  SPECIAL_EXIT: stuck,
  RUNNING: running,
  COMPLETING: running,
  EXPEDITING: running,
  RESIZING: running,
  SIGNALING: running,
  STAGE_OUT: running,
  STOPPED: running,
  SUSPENDED: running,
  UPDATE_DB: running,
  COMPLETED: completed,
  CANCELLED: canceled,
  REVOKED: canceled,
  FAILED: failed,
  TIMEOUT: failed,
  DEADLINE: failed,
  OUT_OF_MEMORY: failed,
  BOOT_FAIL: failed,
  LAUNCH_FAILED: failed,
  NODE_FAIL: failed,
  PREEMPTED: failed,
  RECONFIG_FAIL: failed,
};

/** Reasons for which a pending job never starts by itself, squeue(1) JOB REASON CODES. */
const STUCK_REASONS =
  /^(?:DependencyNeverSatisfied|PartitionTimeLimit|PartitionNodeLimit|JobHeldAdmin|JobHeldUser|BadConstraints|InvalidAccount|InvalidQOS|AssocMaxWallDurationPerJobLimit|QOSMaxWallDurationPerJobLimit|launch[_ ]failed[_ ]requeued[_ ]held)$/;

/**
 * What a Slurm state and its reason mean. A state that is not known is unknown, never an end. `CANCELLED by 1002` counts
 * by its first word.
 */
export function mapState(slurmState: string, reason = ''): ObservedState {
  const word = /^[A-Z_]+/.exec(slurmState)?.[0] ?? '';
  const state = STATES[word] ?? { kind: 'unknown' };
  if (state === pending && STUCK_REASONS.test(reason)) return stuck;
  return state;
}

/** What an end means that the user did not want; squeue(1), JOB STATE CODES. */
const MEANINGS: Readonly<Record<string, string>> = {
  CANCELLED: 'it was canceled on the cluster',
  REVOKED: 'it was canceled on the cluster',
  TIMEOUT: 'it ran into its time limit',
  DEADLINE: 'it could not end before its deadline',
  OUT_OF_MEMORY: 'it used more memory than it had asked for',
  BOOT_FAIL: 'its node did not start',
  LAUNCH_FAILED: 'its node could not start it',
  NODE_FAIL: 'its node failed',
  PREEMPTED: 'the cluster preempted it for other work',
  RECONFIG_FAIL: 'its node failed',
};

/** Slurm reports the same when the processes of a task and its step daemon (slurmstepd) are killed together. */
const LAUNCH_FAILURE = 'its node could not start it, or killed it, for example for the memory that it took';

/** What a state and its reason mean for whoever reads them; undefined: they need no explanation. */
export function meaningOf(slurmState: string, reason = ''): string | undefined {
  const word = /^[A-Z_]+/.exec(slurmState)?.[0] ?? '';
  return word === 'FAILED' && reason === 'JobLaunchFailure' ? LAUNCH_FAILURE : MEANINGS[word];
}

/** All states that are mapped, for tests. */
export const SLURM_STATES: readonly string[] = Object.keys(STATES);
