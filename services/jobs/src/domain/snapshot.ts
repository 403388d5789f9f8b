/**
 * What rules see of the database: rows of jobs, tasks, attempts and merges as one transaction has loaded them, locked where
 * they may change. Which rows there are is the operation's choice (StateStore in ports.ts).
 */
import type { AttemptOutcome } from './attempt.js';
import type { ExecutableName } from './executable.js';
import type { InputType, JobId, Platform, Simulator, UserId } from './job.js';
import type { TaskTally } from './job-end.js';
import { isTerminal, type State } from './job-state.js';
import type { Usage } from './submit/quotas.js';
import type { Convergence } from './submit/target.js';

export interface JobRow {
  readonly jobKey: bigint;
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly platform: Platform;
  readonly simulator: Simulator;
  readonly inputType: InputType;
  /** What runners must have to run it; null: the built-in engine, which all have, or a cluster. */
  readonly executable: ExecutableName | null;
  readonly seed: bigint;
  readonly state: State;
  /** When it was submitted. */
  readonly startTime: Date;
  readonly endTime: Date | null;
  /** When it became terminal by the clock of the database; `endTime` may be a worker's word. */
  readonly closedAt: Date | null;
  /** Why it failed, for people; before its end, why tasks did. */
  readonly failure: string | null;
  /** Current merge, or the last one. */
  readonly mergeId: string | null;
  /** Its number, from 1; 0: there was none. */
  readonly mergeNumber: number;
  /** Batch platform only, like the next two. */
  readonly jobDir: string | null;
  readonly arrayId: bigint | null;
  readonly collectId: bigint | null;
  readonly waitingReason: string | null;
  /** Hash of the worker's update or results that ended it. */
  readonly endedBy: string | null;
  /** When its owner stopped it. */
  readonly stoppedAt: Date | null;
  /** Behind its final results; null: it has none. */
  readonly simulatedPrimaries: bigint | null;
  /** When tasks were last added to it; null: it has those that it was submitted with. */
  readonly extendedAt: Date | null;
  /** Tasks that it was submitted with; null: those that it has. */
  readonly submittedTaskCount: number | null;
  /** More than so many its simulator does not count in one task; null: not known. */
  readonly taskPrimariesMax: bigint | null;
  /** Somebody wants to be told when it ends. */
  readonly isWatched: boolean;
  /** Null: it has no target. */
  readonly convergence: Convergence | null;
}

export interface TaskRow {
  readonly taskKey: bigint;
  readonly jobKey: bigint;
  /** Number within the job, from 1. */
  readonly taskId: number;
  readonly firstHistory: bigint;
  readonly state: State;
  readonly requestedPrimaries: bigint;
  readonly simulatedPrimaries: bigint;
  readonly estimatedSeconds: number | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly lastUpdateTime: Date;
  /** Current attempt; empty: none (batch platform). */
  readonly currentAttemptId: string;
  readonly failure: string | null;
  readonly isUnexplained: boolean;
  /** Hash of the worker's update that ended it. */
  readonly endedBy: string | null;
  /** Its output is stored in results. */
  readonly hasOutput: boolean;
  /** Its job was stopped while it was open: it ends with what it has simulated, and is not tried again. */
  readonly mustFinish: boolean;
  /** Last event of its progress. */
  readonly progressEventAt: Date | null;
}

/** One try of a task; open until `endedAt`. */
export interface AttemptRow {
  readonly id: string;
  readonly taskKey: bigint;
  /** From 1. */
  readonly number: number;
  /** Null: waiting to be claimed, with a message. */
  readonly runnerId: string | null;
  /** Set while it is open and claimed. */
  readonly leaseExpiresAt: Date | null;
  readonly endedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  /** Processor time that was measured of it, milliseconds: never less than before. What is measured after its end counts, too. */
  readonly cpuMs: number;
}

/** That the results of a job are to be merged: a duty of this service, at most one of a job. */
export interface MergeRow {
  readonly id: string;
  readonly jobKey: bigint;
  /** An external worker merges, or is expected to: until `dueAt` it is waited for. */
  readonly isExternal: boolean;
  /** Tries that have failed; results that were away are none. */
  readonly failedCount: number;
  readonly dueAt: Date;
}

/** A tally that can be added to another one. */
export interface TaskSum extends TaskTally {
  /** The task of `exampleFailure`. */
  readonly firstGivenUp: number | null;
  /** Largest number of a task; 0: there is none. */
  readonly lastTaskId: number;
  /** No task has this history, or a later one. */
  readonly nextHistory: bigint;
  /** Tasks of the job that had to finish early, when it was stopped. */
  readonly mustFinishCount: number;
}

/** The first answer to an idempotency key. */
export interface EarlierAnswer {
  readonly requestHash: string;
  /** Null: it was a submission. */
  readonly answer: { readonly taskCount: number; readonly primaries: string } | null;
}

export interface Snapshot {
  /** By the clock of the database: when the transaction began. */
  readonly now: Date;
  readonly jobs: readonly JobRow[];
  /** Jobs that no other transaction changes before this one ends. */
  readonly lockedJobs: ReadonlySet<bigint>;
  readonly tasks: readonly TaskRow[];
  /** Of these tasks: all, or the open ones where only those matter. */
  readonly attempts: readonly AttemptRow[];
  readonly merges: readonly MergeRow[];
  /** By job: its tasks that are not in `tasks`. When one of them is open, nothing but `openCount` counts. */
  readonly restOfTasks: ReadonlyMap<bigint, TaskSum>;
  /** By job: those of its tasks that are not in `tasks`, none of which is open, that have delivered; absent: there are none. */
  readonly deliveredRest?: ReadonlyMap<bigint, readonly number[]>;
  /** Of the owner of the job; absent: not loaded. */
  readonly usage?: Usage;
  /** To the key that was asked for; absent: there is none, or it has expired. */
  readonly earlierAnswer?: EarlierAnswer;
}

export const NO_TASKS: TaskSum = {
  openCount: 0,
  completedCount: 0,
  undeliveredCount: 0,
  firstUndelivered: null,
  givenUpCount: 0,
  stoppedCount: 0,
  unexplainedCount: 0,
  primaries: 0n,
  givenUpPrimaries: 0n,
  deliveredPrimaries: 0n,
  exampleFailure: null,
  firstGivenUp: null,
  lastTaskId: 0,
  nextHistory: 0n,
  mustFinishCount: 0,
};

/** Nothing, at a moment. */
export const emptySnapshot = (now: Date): Snapshot => ({
  now,
  jobs: [],
  lockedJobs: new Set(),
  tasks: [],
  attempts: [],
  merges: [],
  restOfTasks: new Map(),
});

/**
 * Whether the output of a task is there to be merged. On a cluster the end of all may have come before the output of a COMPLETED
 * task; it is not waited for any more.
 */
export const hasDelivered = ({ state, hasOutput }: TaskRow, { platform }: JobRow): boolean =>
  state === 'COMPLETED' && (hasOutput || platform === 'direct');

/** A tally with one task more. */
export function addTask(sum: TaskSum, task: TaskRow): TaskSum {
  const isCompleted = task.state === 'COMPLETED';
  const isUndelivered = isCompleted && !task.hasOutput;
  const hasNothing = isTerminal(task.state) && !isCompleted;
  const isStopped = hasNothing && task.mustFinish;
  const isGivenUp = hasNothing && !isStopped;
  const wanted = task.mustFinish && isTerminal(task.state) ? simulatedBy(task) : task.requestedPrimaries;
  const isFirstGivenUp = isGivenUp && (sum.firstGivenUp === null || task.taskId < sum.firstGivenUp);
  return {
    openCount: sum.openCount + (isTerminal(task.state) ? 0 : 1),
    completedCount: sum.completedCount + (isCompleted ? 1 : 0),
    undeliveredCount: sum.undeliveredCount + (isUndelivered ? 1 : 0),
    firstUndelivered: isUndelivered ? Math.min(sum.firstUndelivered ?? task.taskId, task.taskId) : sum.firstUndelivered,
    givenUpCount: sum.givenUpCount + (isGivenUp ? 1 : 0),
    stoppedCount: sum.stoppedCount + (isStopped ? 1 : 0),
    unexplainedCount: sum.unexplainedCount + (isGivenUp && task.isUnexplained ? 1 : 0),
    primaries: sum.primaries + wanted,
    givenUpPrimaries: sum.givenUpPrimaries + (isGivenUp ? task.requestedPrimaries : 0n),
    deliveredPrimaries: sum.deliveredPrimaries + (isCompleted && task.hasOutput ? task.simulatedPrimaries : 0n),
    exampleFailure: isFirstGivenUp ? `task ${task.taskId}: ${task.failure ?? 'canceled'}` : sum.exampleFailure,
    firstGivenUp: isFirstGivenUp ? task.taskId : sum.firstGivenUp,
    lastTaskId: Math.max(sum.lastTaskId, task.taskId),
    nextHistory: endOf(task) > sum.nextHistory ? endOf(task) : sum.nextHistory,
    mustFinishCount: sum.mustFinishCount + (task.mustFinish ? 1 : 0),
  };
}

const endOf = ({ firstHistory, requestedPrimaries }: TaskRow) => firstHistory + requestedPrimaries;
const simulatedBy = ({ state, simulatedPrimaries }: TaskRow) => (state === 'COMPLETED' ? simulatedPrimaries : 0n);
