import type { Executables } from '@tally/simulators';
import { invalidField } from '../errors.js';
import type { StateStore, TaskRef } from '../ports.js';
import type { AttemptId, RunnerId, WorkOrder } from '../task.js';
import { decideRunnerClaim } from './claim-task.js';
import { decideProgress, type TaskProgress, type Wanted } from './report-task.js';
import { decideTaskEnd, type EndTaskPorts, type TaskEnd } from './report-task-end.js';

export interface ExchangePorts extends EndTaskPorts {
  readonly states: StateStore;
  readonly leaseMs: number;
}

/** What a runner says and asks for at once. */
export interface TaskExchange {
  readonly progress: readonly { readonly attemptId: AttemptId; readonly progress: TaskProgress }[];
  readonly ends: readonly { readonly attemptId: AttemptId; readonly end: TaskEnd }[];
  readonly claims: readonly AttemptId[];
  /** That the runner has. */
  readonly executables: Executables;
}

/** One answer for each entry. */
export interface ExchangeAnswer {
  readonly wanted: readonly Wanted[];
  readonly isApplied: readonly boolean[];
  /** Undefined: not claimable. */
  readonly orders: readonly (WorkOrder | undefined)[];
}

const ENTRIES_MAX = 1_000;

/**
 * Progress, ends and claims of many attempts in one transaction: ends before claims, so that what an end opens is seen by those that
 * follow. A claim that the runner has no executable for is not claimable.
 * @throws ServiceError REQUEST_INVALID
 */
export async function exchangeTasks(
  ports: ExchangePorts,
  runnerId: RunnerId,
  { progress, ends, claims, executables }: TaskExchange,
): Promise<ExchangeAnswer> {
  if (runnerId === '') throw invalidField('/runner_id', 'must not be empty');
  const refs: readonly TaskRef[] = [
    ...progress.map(({ attemptId }) => ({ attemptId, need: 'task' as const })),
    ...ends.map(({ attemptId }) => ({ attemptId, need: 'end' as const })),
    ...claims.map((attemptId) => ({ attemptId, need: 'start' as const })),
  ];
  if (refs.length > ENTRIES_MAX) throw invalidField('/claims', `and the others are more than ${ENTRIES_MAX}`);
  const { leaseMs } = ports;
  return ports.states.changeTasks(refs, (draft) => ({
    wanted: progress.map((said) => decideProgress(draft, said.attemptId, said.progress, leaseMs)),
    isApplied: ends.map(({ attemptId, end }) => decideTaskEnd(draft, attemptId, end, ports)),
    orders: claims.map((attemptId) => decideRunnerClaim(draft, { attemptId, runnerId, leaseMs, executables })),
  }));
}
