/**
 * What becomes of a job when its tasks have ended, or when an external worker delivers its final results: the rules,
 * without a database.
 */

/** The tasks of a job at one moment. */
export interface TaskTally {
  readonly openCount: number;
  readonly completedCount: number;
  /** COMPLETED without an output here. */
  readonly undeliveredCount: number;
  /** The first of those. */
  readonly firstUndelivered: number | null;
  /** FAILED or CANCELED, but for those that are stopped. */
  readonly givenUpCount: number;
  /** FAILED or CANCELED after their job was stopped: what they have not handed over is not wanted any more. */
  readonly stoppedCount: number;
  /** Of those, the ones that an external worker called FAILED without a reason: its word may have been wrong. */
  readonly unexplainedCount: number;
  /** Requested, of all tasks; after a stop simulated, of those that it ended. */
  readonly primaries: bigint;
  /** Of the given up ones. */
  readonly givenUpPrimaries: bigint;
  /** Behind the outputs that are here, of tasks that are COMPLETED. */
  readonly deliveredPrimaries: bigint;
  /** Why the first of the given up tasks was, for people; null: there is none. */
  readonly exampleFailure: string | null;
}

/**
 * Where the outputs of tasks that are COMPLETED without one are: `external`, with an external worker that is expected to
 * merge by itself; `pending`, on their way from a cluster; `lost`, because nothing more comes from it.
 */
export type MissingOutputs = 'external' | 'pending' | 'lost';

export type JobStep =
  /** A task is open, or an output pending. */
  | { readonly kind: 'continue' }
  /** What was delivered is there to be merged. `failure`, here and below: of the tasks, for people. */
  | { readonly kind: 'merge'; readonly failure: string | null }
  /** An external worker is expected to deliver final results, under its lease. `waitingReason`: for people. */
  | { readonly kind: 'await-results'; readonly failure: string | null; readonly waitingReason: string | null }
  | { readonly kind: 'fail'; readonly failure: string }
  /** It was stopped, and no task has anything to hand over. */
  | { readonly kind: 'nothing-simulated' };

/**
 * How a job goes on. A failure that its worker did not explain may be wrong (watchers of log files say FAILED of a task
 * whose log is late), and a terminal state never changes: so the job does not end on it before the worker's lease is over.
 * @param isLeaseOver - no external worker is waited for any more
 */
export function decideJobStep(tally: TaskTally, missing: MissingOutputs, isLeaseOver: boolean): JobStep {
  const { openCount, completedCount, undeliveredCount, givenUpCount, unexplainedCount, stoppedCount } = tally;
  const isUndelivered = undeliveredCount > 0;
  if (openCount > 0 || (isUndelivered && missing === 'pending')) return { kind: 'continue' };
  const lostCount = missing === 'lost' ? undeliveredCount : 0;
  const failure = describeFailures(tally, lostCount);
  const mayWait = !isLeaseOver && missing !== 'lost';
  if (mayWait && unexplainedCount > 0) {
    const waitingReason = `${unexplainedCount} of ${completedCount + givenUpCount} tasks were called FAILED without a reason; final results may still come`;
    return { kind: 'await-results', failure, waitingReason };
  }
  if (completedCount === 0 && givenUpCount === 0 && stoppedCount > 0) return { kind: 'nothing-simulated' };
  if (completedCount === lostCount) return { kind: 'fail', failure: failure ?? NO_TASKS };
  if (mayWait && isUndelivered) return { kind: 'await-results', failure, waitingReason: null };
  return { kind: 'merge', failure };
}

/** Whether a merge that waits for an external worker is due now: the outputs are here, and no results may come. */
export function isMergeDue(tally: TaskTally): boolean {
  return decideJobStep(tally, 'external', false).kind === 'merge';
}

const NO_TASKS = 'it has no tasks';

/** Why a job of which tasks failed is FAILED, for people; null: none did. @param lostCount - COMPLETED, output lost */
export function describeFailures(tally: TaskTally, lostCount = 0): string | null {
  const { openCount, completedCount, firstUndelivered, givenUpCount, stoppedCount, exampleFailure } = tally;
  const failedCount = givenUpCount + lostCount;
  if (failedCount === 0) return null;
  const example =
    exampleFailure ?? `task ${firstUndelivered}: OUTPUT_MISSING: it was completed, but its output never came`;
  return `${failedCount} of ${openCount + completedCount + givenUpCount + stoppedCount} tasks failed; ${example}`;
}

/** What final results of an external worker are. */
export interface Delivery {
  /** Some tasks are not in them: the job is FAILED, and its results are partial. */
  readonly isPartial: boolean;
  /** Histories behind them. */
  readonly primaries: bigint;
  /** Tasks in them. */
  readonly taskCount: number;
  /** Set with `isPartial`. */
  readonly failure: string | null;
}

/**
 * Judges final results. They hold every task that was not given up. A failure without a reason was a mistake, unless the
 * worker itself says that histories are missing.
 * @param saidPrimaries - what the worker says that is behind them; undefined: it does not say
 */
export function judgeDelivery(tally: TaskTally, saidPrimaries: bigint | undefined): Delivery {
  const { givenUpCount, unexplainedCount, primaries, givenUpPrimaries } = tally;
  const taskCount = tally.openCount + tally.completedCount + givenUpCount;
  const isMistake = givenUpCount === unexplainedCount && (saidPrimaries ?? primaries) >= primaries;
  if (givenUpCount === 0 || isMistake) {
    return { isPartial: false, primaries: saidPrimaries ?? primaries, taskCount, failure: null };
  }
  return {
    isPartial: true,
    primaries: saidPrimaries ?? primaries - givenUpPrimaries,
    taskCount: taskCount - givenUpCount,
    failure: describeFailures(tally),
  };
}
