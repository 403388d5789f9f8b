import { type Duration, INPUT_TYPES, type jobs, nameOf, pageKindOf, type results, SIMULATORS } from '@tally/contracts';
import type { Executables } from '@tally/simulators';
import type { MergeEnd, MergeOrder } from '../domain/merge.js';
import type { HeartbeatAnswer, StoredPage } from '../domain/ports.js';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from '../domain/task.js';

/** The one conversion between contracts and domain. Answers that break their contract throw. */

export function toWorkOrder(attemptId: AttemptId, order: jobs.ClaimTaskResponse): WorkOrder {
  return {
    attemptId,
    jobId: order.jobId as JobId,
    taskId: order.taskId,
    attempt: order.attempt,
    simType: required(nameOf(SIMULATORS, order.simulator), 'jobs', 'a simulator'),
    inputType: required(nameOf(INPUT_TYPES, order.inputType), 'jobs', 'an input type'),
    primaries: toCount(order.primaries),
    firstHistory: toCount(order.firstHistory),
    seed: order.seed.toString(),
    leaseMs: toMs(order.lease, 'lease'),
    heartbeatMs: toMs(order.heartbeat, 'heartbeat'),
  };
}

/** The order of a claim among others; undefined: it was not claimable. */
export function toClaimedOrder(
  attemptId: AttemptId,
  { claims, jobs: claimedJobs, lease, heartbeat }: jobs.ExchangeTasksResponse,
  index: number,
): WorkOrder | undefined {
  const { order } = required(claims[index], 'jobs', 'an outcome for every claim');
  if (order === undefined) return undefined;
  const job = required(claimedJobs[order.jobIndex], 'jobs', 'the job of a task');
  return toWorkOrder(attemptId, { ...order, ...job, lease, heartbeat });
}

export function toMergeOrder(mergeId: string, order: jobs.ClaimMergeResponse): MergeOrder {
  return {
    mergeId,
    jobId: order.jobId as JobId,
    taskIds: order.taskIds,
    isPartial: order.isPartial,
    isStopped: order.isStopped,
    number: order.number || undefined,
    errorPages: order.target && { estimatorName: order.target.estimatorName, pageNumber: order.target.pageNumber },
    leaseMs: toMs(order.lease, 'lease'),
    heartbeatMs: toMs(order.heartbeat, 'heartbeat'),
  };
}

/** The merge that an end has taken; undefined: none. */
export function toTakenMerge({ merges }: jobs.ExchangeTasksResponse, endIndex: number): MergeOrder | undefined {
  const taken = merges.find((merge) => merge.endIndex === endIndex);
  return taken && toMergeOrder(taken.mergeId, required(taken.order, 'jobs', 'the order of a merge'));
}

/** Absent: jobs is of the release before, which never wants less than all. */
export function toHeartbeatAnswer({ mustStop, mustFinish = false }: Partial<jobs.ReportTaskResponse>): HeartbeatAnswer {
  if (mustStop) return 'stop';
  return mustFinish ? 'finish' : 'go-on';
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
      return { $case: 'merged', value: { relativeError: end.relativeError } };
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

export function fromExecutables(executables: Executables): jobs.SimulatorExecutable[] {
  return [...executables].map(([simType, version]) => ({ simulator: SIMULATORS[simType], version }));
}

export function toPage(header: results.PageHeader | undefined): StoredPage {
  const page = required(header, 'results', 'a page header');
  const recordCount = page.recordCount === undefined ? undefined : toCount(page.recordCount);
  return { ...page, kind: required(pageKindOf(page.kind), 'results', 'a page kind'), recordCount };
}

function required<T>(value: T | undefined, service: string, what: string): T {
  if (value === undefined) throw new Error(`${service} answered without ${what}`);
  return value;
}
