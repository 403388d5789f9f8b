import { beginOn, canRun, type ExecutableName } from '../executable.js';
import type { RunnerReport, WaitingTasks } from '../ports.js';

/** The runners that a job would run on, and what else waits for them. */
export interface RunnerPool {
  /** Tasks that they run at once. */
  readonly slotCount: number;
  /** Tasks of everybody that wait for one of their slots. */
  readonly waitingTaskCount: number;
  /** How many of these are served before the first task of the job. */
  readonly tasksBefore: number;
}

type Runner = Pick<RunnerReport, 'executables' | 'slotCount'>;

/**
 * The pool of a job that has not begun. Its tasks stay with the version that the first of them runs on (ADR 24): where runners
 * have several versions, the pool is that of the version with most slots.
 * @param executable - undefined: the built-in engine, which every runner has
 */
export function findPool(
  executable: ExecutableName | undefined,
  runners: readonly Runner[],
  waiting: readonly WaitingTasks[],
): RunnerPool {
  const pool = executable === undefined ? runners : largestPool(executable, runners);
  const competes = (tasks: WaitingTasks) =>
    tasks.executable === executable || pool.some((runner) => runsOn(tasks.executable, runner));
  const rivals = waiting.filter(competes);
  return {
    slotCount: sum(pool.map(({ slotCount }) => slotCount)),
    waitingTaskCount: sum(rivals.map(({ queuedCount, dueCount }) => queuedCount + dueCount)),
    tasksBefore: countBefore(rivals),
  };
}

function largestPool(executable: ExecutableName, runners: readonly Runner[]): readonly Runner[] {
  const able = runners.filter(({ executables }) => canRun(executable, executables));
  const versions = new Set(able.map(({ executables }) => beginOn(executable, executables)));
  const pools = [...versions].map((version) =>
    able.filter((runner) => beginOn(executable, runner.executables) === version),
  );
  const slotsOf = (pool: readonly Runner[]) => sum(pool.map(({ slotCount }) => slotCount));
  return pools.sort((one, other) => slotsOf(other) - slotsOf(one))[0] ?? [];
}

function runsOn(executable: ExecutableName | undefined, { executables }: Runner): boolean {
  return executable === undefined || canRun(executable, executables);
}

/**
 * By the turns of the dispatcher: what is in the queue goes first, then the owner's own tasks job by job, and beside each of them
 * one of each other owner. An owner without waiting tasks is served next.
 */
function countBefore(rivals: readonly WaitingTasks[]): number {
  const ownDueCount = sum(rivals.map(({ isOwn, dueCount }) => (isOwn ? dueCount : 0)));
  const dueOfOthers = new Map<bigint, number>();
  for (const { isOwn, ownerId, dueCount } of rivals) {
    if (!isOwn) dueOfOthers.set(ownerId, (dueOfOthers.get(ownerId) ?? 0) + dueCount);
  }
  const besideOwn = [...dueOfOthers.values()].map((dueCount) => Math.min(dueCount, ownDueCount));
  return sum(rivals.map(({ queuedCount }) => queuedCount)) + ownDueCount + sum(besideOwn);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
