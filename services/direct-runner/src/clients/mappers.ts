import { type Duration, INPUT_TYPES, type jobs, nameOf, SIMULATORS } from '@tally/contracts';
import type { Executables } from '@tally/simulators';
import type { HeartbeatAnswer } from '../domain/ports.js';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from '../domain/task.js';

/** The one conversion between contracts and domain. Answers that break their contract throw. */

/** The order of a claim; undefined: it was not claimable. */
export function toWorkOrder(
  attemptId: AttemptId,
  { claims, jobs: claimedJobs, lease, heartbeat }: jobs.ExchangeTasksResponse,
  index: number,
): WorkOrder | undefined {
  const { order } = required(claims[index], 'an outcome for every claim');
  if (order === undefined) return undefined;
  const job = required(claimedJobs[order.jobIndex], 'the job of a task');
  return {
    attemptId,
    jobId: job.jobId as JobId,
    taskId: order.taskId,
    attempt: order.attempt,
    simType: required(nameOf(SIMULATORS, job.simulator), 'a simulator'),
    inputType: required(nameOf(INPUT_TYPES, job.inputType), 'an input type'),
    primaries: toCount(order.primaries),
    firstHistory: toCount(order.firstHistory),
    seed: job.seed.toString(),
    leaseMs: toMs(lease, 'lease'),
    heartbeatMs: toMs(heartbeat, 'heartbeat'),
  };
}

export function toHeartbeatAnswer(
  { mustStop, mustFinish }: jobs.ExchangeTasksResponse,
  index: number,
): HeartbeatAnswer {
  if (required(mustStop[index], 'an answer to every heartbeat')) return 'stop';
  return mustFinish[index] === true ? 'finish' : 'go-on';
}

export const fromTaskEnd = (end: TaskEnd): Omit<jobs.TaskEnd, 'attemptId'> => ({
  outcome: fromOutcome(end),
  ...(end.cpuMs === undefined ? {} : { processorTime: fromMs(end.cpuMs) }),
});

function fromOutcome(end: TaskEnd): NonNullable<jobs.TaskEnd['outcome']> {
  switch (end.kind) {
    case 'completed':
      return { $case: 'completed', value: { simulatedPrimaries: BigInt(end.simulatedPrimaries) } };
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
function toCount(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${value} is not a count`);
  return number;
}

export function fromExecutables(executables: Executables): jobs.SimulatorExecutable[] {
  return [...executables].map(([simType, version]) => ({ simulator: SIMULATORS[simType], version }));
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`jobs answered without ${what}`);
  return value;
}
