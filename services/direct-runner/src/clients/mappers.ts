import { type Duration, jobs, pageKindOf, type results } from '@tally/contracts';
import type { PageKind } from '@tally/merge';
import type { Executables, InputType, SimType } from '@tally/simulators';
import type { MergeEnd, MergeOrder } from '../domain/merge.js';
import type { StoredPage } from '../domain/ports.js';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from '../domain/task.js';

/** The one conversion between contracts and domain. Answers that break their contract throw. */

export function toWorkOrder(attemptId: AttemptId, order: jobs.ClaimTaskResponse): WorkOrder {
  return {
    attemptId,
    jobId: order.jobId as JobId,
    taskId: order.taskId,
    attempt: order.attempt,
    simType: toSimType(order.simulator),
    inputType: toInputType(order.inputType),
    primaries: toCount(order.primaries),
    firstHistory: toCount(order.firstHistory),
    seed: order.seed.toString(),
    leaseMs: toMs(order.lease, 'lease'),
    heartbeatMs: toMs(order.heartbeat, 'heartbeat'),
  };
}

export function toMergeOrder(mergeId: string, order: jobs.ClaimMergeResponse): MergeOrder {
  return {
    mergeId,
    jobId: order.jobId as JobId,
    taskIds: order.taskIds,
    isPartial: order.isPartial,
    leaseMs: toMs(order.lease, 'lease'),
    heartbeatMs: toMs(order.heartbeat, 'heartbeat'),
  };
}

export function fromTaskEnd(end: TaskEnd): NonNullable<jobs.ReportTaskEndRequest['outcome']> {
  switch (end.kind) {
    case 'completed':
      return { $case: 'completed', value: { simulatedPrimaries: BigInt(end.simulatedPrimaries) } };
    case 'failed':
      return { $case: 'failed', value: fromFailure(end) };
    case 'released':
      return { $case: 'released', value: {} };
  }
}

export function fromMergeEnd(end: MergeEnd): NonNullable<jobs.ReportMergeEndRequest['outcome']> {
  switch (end.kind) {
    case 'merged':
      return { $case: 'merged', value: {} };
    case 'failed':
      return { $case: 'failed', value: fromFailure(end) };
    case 'released':
      return { $case: 'released', value: {} };
  }
}

function fromFailure({ reason, message, isRetryable }: jobs.Failure): jobs.Failure {
  return { reason, message, isRetryable };
}

export function fromMs(ms: number): Duration {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Math.round(ms % 1000) * 1_000_000 };
}

function toMs(duration: Duration | undefined, what: string): number {
  const ms = Number(duration?.seconds ?? 0n) * 1000 + (duration?.nanos ?? 0) / 1e6;
  if (!(ms > 0)) throw new Error(`jobs answered without a ${what}`);
  return ms;
}

/** @throws Error for a number that a double cannot hold */
export function toCount(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${value} is not a count`);
  return number;
}

function toSimType(simulator: jobs.Simulator): SimType {
  switch (simulator) {
    case jobs.Simulator.SIMULATOR_SIM_A:
      return 'simA';
    case jobs.Simulator.SIMULATOR_SIM_B:
      return 'simB';
    case jobs.Simulator.SIMULATOR_SIM_C:
      return 'simC';
    case jobs.Simulator.SIMULATOR_SIM_D:
      return 'simD';
    case jobs.Simulator.SIMULATOR_UNSPECIFIED:
    default:
      throw new Error('jobs answered without a simulator');
  }
}

const SIMULATORS = {
  simA: jobs.Simulator.SIMULATOR_SIM_A,
  simB: jobs.Simulator.SIMULATOR_SIM_B,
  simC: jobs.Simulator.SIMULATOR_SIM_C,
  simD: jobs.Simulator.SIMULATOR_SIM_D,
} as const satisfies Record<SimType, jobs.Simulator>;

export function fromExecutables(executables: Executables): jobs.SimulatorExecutable[] {
  return [...executables].map(([simType, version]) => ({ simulator: SIMULATORS[simType], version }));
}

function toInputType(inputType: jobs.InputType): InputType {
  switch (inputType) {
    case jobs.InputType.INPUT_TYPE_EDITOR:
      return 'editor';
    case jobs.InputType.INPUT_TYPE_FILES:
      return 'files';
    case jobs.InputType.INPUT_TYPE_UNSPECIFIED:
    default:
      throw new Error('jobs answered without an input type');
  }
}

export function toPage(page: results.PageHeader | undefined): StoredPage {
  if (page === undefined) throw new Error('results answered without a page header');
  const recordCount = page.recordCount === undefined ? undefined : toCount(page.recordCount);
  return { ...page, kind: toPageKind(page.kind), recordCount };
}

function toPageKind(message: results.PageKind): PageKind {
  const kind = pageKindOf(message);
  if (kind === undefined) throw new Error('results answered without a page kind');
  return kind;
}
