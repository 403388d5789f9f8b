/**
 * One job with everything that changes it, as a scenario for searchStates: its rows in the memory store, and around them those
 * who call this service, as little of each as its calls depend on. A step is one statement of somebody: whoever is cut off
 * is one who takes no further step. Nothing is ever lost or late by itself: a message is delivered whenever it may be, and as
 * often, a lease may be over at any moment, and an answer may not arrive.
 */
import type { SearchModel, SearchStep } from '@tally/testkit';
import { decideBatchReport } from '../../src/domain/batch/report-batch.js';
import { decideCancel } from '../../src/domain/cancel-job.js';
import { decideDelete } from '../../src/domain/delete-job.js';
import { decideClaim } from '../../src/domain/direct/claim-task.js';
import { decideProgress } from '../../src/domain/direct/report-task.js';
import { decideTaskEnd } from '../../src/domain/direct/report-task-end.js';
import { decideMergeEnd, decideMergeFailure, decideMergeStart } from '../../src/domain/duties/merge-job.js';
import { decideExtension } from '../../src/domain/extend-job.js';
import type { JobId, Platform } from '../../src/domain/job.js';
import { isTerminal, JOB_TRANSITIONS, REPORTED, type State, type Transition } from '../../src/domain/job-state.js';
import type { AttemptRow, JobRow, TaskRow } from '../../src/domain/snapshot.js';
import { decideStop } from '../../src/domain/stop-job.js';
import { TASK_TRANSITIONS } from '../../src/domain/task-state.js';
import { decideFinalResults, decideOutput } from '../../src/domain/worker/report-worker-output.js';
import { decideWorkerJobUpdate } from '../../src/domain/worker/update-job.js';
import { decideWorkerTaskUpdate } from '../../src/domain/worker/update-task.js';
import { copyRows, createJobIn, emptyRows, type MemoryRows } from '../memory-store.js';

/** The rules under search; a test of the search replaces one. */
export const RULES = {
  decideBatchReport,
  decideCancel,
  decideClaim,
  decideDelete,
  decideExtension,
  decideFinalResults,
  decideMergeEnd,
  decideMergeFailure,
  decideMergeStart,
  decideOutput,
  decideProgress,
  decideStop,
  decideTaskEnd,
  decideWorkerJobUpdate,
  decideWorkerTaskUpdate,
};
export type Rules = typeof RULES;

export const JOB = 'job' as JobId;
/** The clock stands still: what time does, a step does. */
export const NOW = new Date('2030-01-01T00:00:00Z');
export const PAST = new Date('2029-12-31T00:00:00Z');
export const LEASE_MS = 60_000;
export const PRIMARIES = 10;
/** That a task has simulated when its job is stopped. */
export const EARLY_PRIMARIES = 4;
/** Reached with 16 primaries ({@link errorOf}). */
const TARGET = { estimator: 'E', page: null, relativeError: 0.02, maxPrimaries: 100 };
/** Of results of so many primaries. */
export const errorOf = (primaries: number): number => TARGET.relativeError * Math.sqrt(16 / primaries);
export const LIMITS = { attemptsMax: 2, releasesMax: 0 };
export const EXTEND_LIMITS = {
  ntasksMax: 9,
  jobTasksMax: 9,
  idempotencyKeyHours: 1,
  openJobsPerUserMax: 0,
  openTasksPerUserMax: 0,
  queuedPrimariesPerUserMax: 0,
};
export const WORKER_PORTS = { workerLeaseMs: LEASE_MS, updateKeyHours: 1, limits: LIMITS };

/** What a runner holds, or a copy of this service that has results merge, as far as it knows. */
export type Work =
  | { readonly kind: 'task'; readonly id: string; readonly taskId: number; readonly isStored: boolean }
  | {
      readonly kind: 'merge';
      readonly id: string;
      readonly taskIds: readonly number[];
      readonly number: number;
      readonly isStored: boolean;
    };

/** Where a task on a cluster is: `stored`: results has its output; `told`: jobs knows of it. */
export type ClusterTask = 'waiting' | 'running' | 'stored' | 'told' | 'completed' | 'dead';

export interface Scenario {
  readonly rows: MemoryRows;
  readonly runners: readonly (Work | undefined)[];
  /** Tasks whose outputs results has; undefined: it has removed the job. */
  readonly outputs: readonly number[] | undefined;
  /** Tasks in the final results that it has. */
  readonly final: readonly number[] | undefined;
  /** Number of the merge that made them. */
  readonly finalMerge: number;
  /** By task; none on the direct platform. */
  readonly cluster: readonly ClusterTask[];
  /** Updates that an external worker has still to give: it is not heard of after them. */
  readonly wordsLeft: number;
  /** Crashes, failures, late workers and lost answers that may still be. */
  readonly faultsLeft: number;
  /** Its owner may stop it. */
  readonly mayStop: boolean;
  /** How often its owner may still extend it. */
  readonly extensionsLeft: number;
}

export interface ScenarioSize {
  readonly tasks: number;
  readonly runners: number;
  readonly words?: number;
  readonly mayStop?: boolean;
  readonly extensions?: number;
  /** It goes on until its results are good enough, in three rounds. */
  readonly hasTarget?: boolean;
  readonly faults: number;
}

export function newScenario(platform: Platform, size: ScenarioSize): Scenario {
  const { tasks: taskCount, runners: runnerCount, words: wordsLeft = 0, faults: faultsLeft, mayStop = false } = size;
  const { extensions: extensionsLeft = 0 } = size;
  const rows = emptyRows();
  const tasks = Array.from({ length: taskCount }, (_, i) => {
    return { taskId: i + 1, primaries: PRIMARIES, firstHistory: i * PRIMARIES };
  });
  const facts = { title: 'T', platform, inputType: 'editor', simulator: 'simA', seed: 1n, ownerId: 1n } as const;
  const origin = { requestId: null, traceparent: null };
  const target = size.hasTarget === true ? TARGET : undefined;
  const rest = { tasks, warnings: [], batch: undefined, idempotency: undefined, origin, target };
  createJobIn(rows, NOW, { jobId: JOB, ...facts, ...rest });
  const cluster = platform === 'batch' ? tasks.map((): ClusterTask => 'waiting') : [];
  const runners = Array.from({ length: runnerCount }, () => undefined);
  const nothing = { outputs: [], final: undefined, finalMerge: 0 };
  return { rows, runners, ...nothing, cluster, wordsLeft, faultsLeft, mayStop, extensionsLeft };
}

/** A step that changes rows, and returns what else of the scenario is different after it. */
export function step(
  scenario: Scenario,
  name: string,
  run: (rows: MemoryRows) => Partial<Scenario>,
): SearchStep<Scenario> {
  return {
    name,
    run: () => {
      const rows = copyRows(scenario.rows);
      const next = { ...scenario, ...run(rows), rows };
      // what it was given waits on its cluster like what it was submitted with
      const added = Math.max(0, next.cluster.length === 0 ? 0 : rows.tasks.size - next.cluster.length);
      return added === 0 ? next : { ...next, cluster: [...next.cluster, ...Array<ClusterTask>(added).fill('waiting')] };
    },
  };
}

/** The same, where one of the faults that may be is used up; none: there are no more. */
export function fault(
  scenario: Scenario,
  name: string,
  run: (rows: MemoryRows) => Partial<Scenario>,
): SearchStep<Scenario>[] {
  const { faultsLeft } = scenario;
  if (faultsLeft === 0) return [];
  return [step(scenario, name, (rows) => ({ faultsLeft: faultsLeft - 1, ...run(rows) }))];
}

/** A set of numbers with one more. */
export const withNumber = (numbers: readonly number[], number: number): readonly number[] =>
  numbers.includes(number) ? numbers : [...numbers, number].toSorted((a, b) => a - b);

export const jobOf = ({ jobs }: MemoryRows): JobRow | undefined => jobs.values().next().value;

const leaseOf = (at: Date | null) => (at === null ? '' : at <= NOW ? '!' : '+');
const tryOf = (row: AttemptRow) =>
  `${row.id}/${row.runnerId ?? ''}${leaseOf(row.leaseExpiresAt)}${row.endedAt === null ? '' : 'x'}${row.outcome ?? ''}`;
const taskOf = (task: TaskRow) =>
  `${task.state}/${task.currentAttemptId}/${task.simulatedPrimaries}${task.hasOutput ? 'o' : ''}${task.isUnexplained ? 'u' : ''}${task.failure === null ? '' : 'f'}${task.endTime === null ? '' : 'e'}${task.endedBy ?? ''}${task.mustFinish ? 'q' : ''}`;
const workOf = (work: Work | undefined) => (work === undefined ? '' : `${work.id}${work.isStored ? 's' : ''}`);

function keyOf(scenario: Scenario): string {
  const { rows, runners, outputs, final, finalMerge, cluster, wordsLeft, faultsLeft, extensionsLeft } = scenario;
  const job = jobOf(rows);
  const parts = [
    job &&
      `${job.state}/${job.mergeId}/${job.failure === null}/${job.endTime === null}/${job.endedBy}/${job.waitingReason === null}/${job.stoppedAt === null}/${job.simulatedPrimaries}/${job.convergence?.points.length}/${job.convergence?.isReached}`,
    wordsLeft,
    faultsLeft,
    extensionsLeft,
    finalMerge,
    outputs?.join(''),
    final?.join(''),
    cluster.join(','),
    runners.map(workOf).join(','),
    [...rows.messages].toSorted().join(','),
    [...rows.duties].toSorted().join(','),
  ];
  for (const task of rows.tasks.values()) parts.push(taskOf(task));
  for (const attempt of rows.attempts.values()) parts.push(tryOf(attempt));
  for (const { id, isExternal, failedCount, dueAt } of rows.merges.values())
    parts.push(`${id}${isExternal ? 'e' : ''}${failedCount}${leaseOf(dueAt)}`);
  return parts.join(' ');
}

/** What must hold in every state. */
function judgeState({ rows, outputs, final }: Scenario): string | undefined {
  const job = jobOf(rows);
  const tries = [...rows.attempts.values()];
  const open = tries.filter(({ endedAt }) => endedAt === null);
  const heldTwice = open.find(({ id, runnerId }) => (runnerId === null) !== rows.messages.has(id));
  if (heldTwice !== undefined) return `${heldTwice.id} is open and has both a worker and a message, or neither`;
  const unleased = tries.find(
    (one) => (one.leaseExpiresAt !== null) !== (one.runnerId !== null && one.endedAt === null),
  );
  if (unleased !== undefined) return `the lease of ${unleased.id} contradicts its worker`;
  const ids = new Set(open.map(({ id }) => id));
  const stray = [...rows.messages].find((id) => !ids.has(id));
  if (stray !== undefined) return `a message for ${stray} is left, which is not open`;
  const merge = rows.merges.values().next().value;
  if (merge !== undefined && job?.mergeId !== merge.id) return 'the merge that is open is not the one of the job';
  if (job === undefined) return tries.length + rows.tasks.size > 0 ? 'rows of a deleted job are left' : undefined;
  const tasks = [...rows.tasks.values()];
  if (isTerminal(job.state))
    return judgeTerminal(job, tasks, open.length + rows.merges.size, outputs === undefined ? undefined : final);
  const isDirect = job.platform === 'direct';
  const openTaskKeys = new Set([...rows.attempts.values()].flatMap((one) => (one.endedAt === null ? one.taskKey : [])));
  const idle = tasks.find((task) => isDirect && isTerminal(task.state) === openTaskKeys.has(task.taskKey));
  if (idle !== undefined) return `task ${idle.taskId} is ${idle.state}, and its attempt is not as that says`;
  const isOver = tasks.every(
    (task) => isTerminal(task.state) && (isDirect || task.state !== 'COMPLETED' || task.hasOutput),
  );
  if (isOver && merge === undefined) return 'all tasks are over and nobody merges';
  const unstored = tasks.find((task) => task.hasOutput && outputs?.includes(task.taskId) !== true);
  return unstored && `task ${unstored.taskId} is said to be stored, and is not`;
}

function judgeTerminal(
  job: JobRow,
  tasks: readonly TaskRow[],
  openCount: number,
  final: readonly number[] | undefined,
): string | undefined {
  if (openCount > 0) return `the job is ${job.state} and something of it is open`;
  if (job.closedAt === null || job.endTime === null) return 'the end has no time';
  const openTask = tasks.find(({ state }) => !isTerminal(state));
  if (openTask !== undefined) return `the job is ${job.state}, task ${openTask.taskId} is ${openTask.state}`;
  if (job.state === 'FAILED' && job.failure === null) return 'it FAILED and nothing says why';
  if (job.state !== 'COMPLETED' || job.endedBy !== null) return undefined; // of an external worker's results it knows nothing
  if (job.convergence?.isReached === null) return 'it ended, and its target is neither reached nor given up';
  const given = tasks.map(({ firstHistory }) => firstHistory);
  if (new Set(given).size < given.length) return 'two tasks have the same histories';
  if (tasks.some(({ mustFinish }) => mustFinish)) {
    if (job.stoppedAt === null && job.extendedAt === null) return 'it was stopped and does not say so';
    return judgeStopped(job, tasks, final);
  }
  const unfinished = tasks.find(({ state }) => state !== 'COMPLETED');
  if (unfinished !== undefined) return `the job is COMPLETED, task ${unfinished.taskId} is ${unfinished.state}`;
  return final?.length === tasks.length
    ? undefined
    : `the job is COMPLETED with the histories of ${final?.length} tasks`;
}

/** What was handed over counts, once, and nothing else. */
function judgeStopped(
  { simulatedPrimaries }: JobRow,
  tasks: readonly TaskRow[],
  final: readonly number[] | undefined,
): string | undefined {
  const kept = tasks.filter(({ state }) => state === 'COMPLETED');
  const missing = tasks.find(({ state, mustFinish }) => state !== 'COMPLETED' && !mustFinish);
  if (missing !== undefined)
    return `the job is COMPLETED, task ${missing.taskId} is ${missing.state}, and was not stopped`;
  const primaries = kept.reduce((sum, task) => sum + task.simulatedPrimaries, 0n);
  if (kept.length === 0 || final?.join() !== kept.map(({ taskId }) => taskId).join())
    return `it was stopped with tasks ${kept.map(({ taskId }) => taskId).join()}, and has the histories of ${final?.join()}`;
  return primaries === simulatedPrimaries
    ? undefined
    : `it says ${simulatedPrimaries} primaries, its tasks ${primaries}`;
}

const RANKS: Readonly<Record<State, number>> = {
  UNKNOWN: 0,
  PENDING: 0,
  RUNNING: 1,
  MERGING_QUEUED: 2,
  MERGING_RUNNING: 2,
  COMPLETED: 3,
  FAILED: 3,
  CANCELED: 3,
};

function isAllowed(table: Readonly<Record<string, Transition>>, from: State, to: State): boolean {
  return from === to || Object.values(table).some((move) => move.to === to && move.from.includes(from));
}

/** The step of an owner who wants more. */
export const EXTENDS = 'its owner extends';

/** The step of a bridge whose word about the tasks before an extension comes after that. */
export const ENDS_LATE = 'the bridge says late that the tasks before are over';

/** Steps of an external worker, who may name any state that is not terminal. */
export const WORKER_STEP = 'worker ';

/** What must hold of every step. */
function judgeStep({ rows: before }: Scenario, name: string, { rows: after }: Scenario): string | undefined {
  const [from, to] = [jobOf(before), jobOf(after)];
  if (from === undefined) return to && 'a deleted job is back';
  const told = new Set(after.events.map(({ kind, taskKey }) => `${kind} ${taskKey ?? ''}`));
  if (to === undefined) {
    if (!isTerminal(from.state)) return `a job that is ${from.state} was deleted`;
    return told.has('deleted ') && after.duties.has(`remove ${JOB}`)
      ? undefined
      : 'it was deleted and nobody hears of it';
  }
  const isReported = name.startsWith(WORKER_STEP);
  const isMoved = from.state !== to.state;
  const isExtended = name === EXTENDS && isMoved;
  if (isMoved && isTerminal(from.state) && !isExtended) return `it was ${from.state}, and is ${to.state}`;
  if (isTerminal(from.state) && !isExtended && (from.failure !== to.failure || from.endTime !== to.endTime))
    return 'its end has changed';
  if (isMoved && !told.has('job ')) return `it became ${to.state} and nobody hears of it`;
  const mayReport = isReported && REPORTED.to.includes(to.state);
  if (!mayReport && !isAllowed(JOB_TRANSITIONS, from.state, to.state))
    return `${from.state} → ${to.state} is in no table`;
  const isGoingOn = to.convergence !== null && after.tasks.size > before.tasks.size;
  const isBack = RANKS[to.state] < RANKS[from.state] && !isGoingOn;
  if (isBack && !isReported && !isExtended && to.state !== JOB_TRANSITIONS.mergeAbandoned.to)
    return `${from.state} → ${to.state} goes back`;
  for (const task of before.tasks.values()) {
    const now = after.tasks.get(task.taskKey);
    if (now === undefined) return `task ${task.taskId} is gone`;
    const isTaskMoved = now.state !== task.state;
    if (isTaskMoved && isTerminal(task.state)) return `task ${task.taskId} was ${task.state}, and is ${now.state}`;
    if (isTaskMoved && !told.has(`task ${task.taskKey}`))
      return `task ${task.taskId} became ${now.state} and nobody hears of it`;
    if (isTaskMoved && name === ENDS_LATE && task.taskId > (from.submittedTaskCount ?? 0))
      return `task ${task.taskId} of an extension became ${now.state} with those before it`;
    if (!isReported && !isAllowed(TASK_TRANSITIONS, task.state, now.state))
      return `task ${task.taskId}: ${task.state} → ${now.state} is in no table`;
  }
  return undefined;
}

/** Nothing is left once all is quiet. */
function judgeEnd({ rows, runners, outputs, final, cluster }: Scenario): string | undefined {
  const job = jobOf(rows);
  if (job !== undefined && !isTerminal(job.state)) return `it stays ${job.state}`;
  if (rows.messages.size > 0) return 'a message is left';
  if (rows.duties.size > 0) return `a duty is left: ${[...rows.duties].join()}`;
  if (runners.some((work) => work !== undefined)) return 'a runner still works';
  if (cluster.some((at) => at === 'running' || at === 'waiting')) return 'a task is left on the cluster';
  return job === undefined && (outputs ?? final) !== undefined ? 'data of a deleted job is left in results' : undefined;
}

/** A scenario of these steps. @param heal - names of steps as they come once nothing fails any more, the first of these that may be */
export function modelOf(
  start: Scenario,
  stepsOf: (scenario: Scenario) => SearchStep<Scenario>[],
  heal: readonly RegExp[],
): SearchModel<Scenario> {
  return {
    start,
    stepsOf,
    keyOf,
    judgeState,
    judgeStep,
    judgeEnd,
    healOf: (_, steps) => {
      for (const pattern of heal) {
        const index = steps.findIndex(({ name }) => pattern.test(name));
        if (index >= 0) return index;
      }
      return undefined;
    },
  };
}
