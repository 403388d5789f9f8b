import { type Duration, jobs } from '@tally/contracts';
import type { InputType, SimType } from '@tally/simulators';
import type { JobId } from '../domain/job-id.js';
import type { BatchOrder, BatchReport, BatchTask, TaskIdentity, TaskReport, TaskUpdate } from '../domain/ports.js';

/** The only conversion between contracts of other services and domain. Answers that break their contract throw. */

const ENDED: ReadonlySet<jobs.State> = new Set([
  jobs.State.STATE_COMPLETED,
  jobs.State.STATE_FAILED,
  jobs.State.STATE_CANCELED,
]);

export function toBatchOrder(order: jobs.GetBatchOrderResponse): BatchOrder {
  return {
    simType: toSimType(order.simulator),
    inputType: toInputType(order.inputType),
    seed: order.seed,
    tasks: order.tasks.map(toBatchTask),
    updateKey: order.updateKey,
    isOpen: order.isOpen,
  };
}

function toBatchTask({ taskId, primaries, firstHistory, state }: jobs.BatchTask): BatchTask {
  return { taskId, primaries: toCount(primaries), firstHistory: toCount(firstHistory), isEnded: ENDED.has(state) };
}

const TASK_STATES = {
  RUNNING: jobs.State.STATE_RUNNING,
  COMPLETED: jobs.State.STATE_COMPLETED,
  FAILED: jobs.State.STATE_FAILED,
  CANCELED: jobs.State.STATE_CANCELED,
} as const satisfies Record<NonNullable<TaskUpdate['state']>, jobs.State>;

export function fromBatchReport(jobId: JobId, report: BatchReport): jobs.ReportBatchRequest {
  const { jobDir, arrayId, collectId, waitingReason, tasks = [], endFailure } = report;
  return {
    jobId,
    jobDir,
    arrayId: arrayId === undefined ? undefined : BigInt(arrayId),
    collectId: collectId === undefined ? undefined : BigInt(collectId),
    waitingReason,
    tasks: tasks.map(fromTaskReport),
    end: endFailure === undefined ? undefined : { failure: endFailure },
  };
}

function fromTaskReport({ taskId, state, failure }: TaskReport): jobs.BatchTaskReport {
  return { taskId, state: TASK_STATES[state], failure };
}

export const fromTaskIdentity = ({ jobId, updateKey, taskId }: TaskIdentity) => ({
  credential: { jobRef: jobId, updateKey },
  taskId,
});

export function fromTaskUpdate(task: TaskIdentity, update: TaskUpdate): jobs.UpdateTaskRequest {
  const { state, simulatedPrimaries = 0, remainingMs, startTime, endTime, failure = '' } = update;
  return {
    ...fromTaskIdentity(task),
    state: state === undefined ? jobs.State.STATE_UNSPECIFIED : TASK_STATES[state],
    requestedPrimaries: 0n,
    simulatedPrimaries: BigInt(simulatedPrimaries),
    estimatedTime: remainingMs === undefined ? undefined : fromMs(remainingMs),
    startTime,
    endTime,
    celeryId: '',
    failure,
  };
}

function fromMs(ms: number): Duration {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Math.floor(ms % 1000) * 1_000_000 };
}

/** @throws Error for a number that a double cannot hold */
function toCount(value: bigint): number {
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
