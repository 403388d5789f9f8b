import { type Duration, jobs, nameOf, UNSUPPORTED_CHOICES } from '@tally/contracts';
import { type Executables, isVersion, type OnUnsupported } from '@tally/simulators';
import { type AttemptEnd, failedEnd } from '../domain/attempt.js';
import type { TaskEnd } from '../domain/direct/report-task-end.js';
import { invalidField } from '../domain/errors.js';
import type { JobEvent } from '../domain/events/job-event.js';
import type { WatchPart } from '../domain/events/watch-job-events.js';
import type { InputType, Job, JobId, Platform, Simulator } from '../domain/job.js';
import type { State } from '../domain/job-state.js';
import type { AttemptId, JobWithTasks, RunnerId, Task } from '../domain/task.js';

/** The only conversion between what travels and what the rules speak of. */

const PLATFORM: Readonly<Record<Platform, jobs.Platform>> = {
  direct: jobs.Platform.PLATFORM_DIRECT,
  batch: jobs.Platform.PLATFORM_BATCH,
};
const INPUT_TYPE: Readonly<Record<InputType, jobs.InputType>> = {
  editor: jobs.InputType.INPUT_TYPE_EDITOR,
  files: jobs.InputType.INPUT_TYPE_FILES,
};
const SIMULATOR: Readonly<Record<Simulator, jobs.Simulator>> = {
  simA: jobs.Simulator.SIMULATOR_SIM_A,
  simB: jobs.Simulator.SIMULATOR_SIM_B,
  simC: jobs.Simulator.SIMULATOR_SIM_C,
  simD: jobs.Simulator.SIMULATOR_SIM_D,
};
const STATE: Readonly<Record<State, jobs.State>> = {
  UNKNOWN: jobs.State.STATE_UNKNOWN,
  PENDING: jobs.State.STATE_PENDING,
  RUNNING: jobs.State.STATE_RUNNING,
  MERGING_QUEUED: jobs.State.STATE_MERGING_QUEUED,
  MERGING_RUNNING: jobs.State.STATE_MERGING_RUNNING,
  COMPLETED: jobs.State.STATE_COMPLETED,
  FAILED: jobs.State.STATE_FAILED,
  CANCELED: jobs.State.STATE_CANCELED,
};

function wordOf<Word extends string, Value>(words: Readonly<Record<Word, Value>>, value: Value): Word | undefined {
  return (Object.keys(words) as Word[]).find((word) => words[word] === value);
}

export const toProtoState = (state: State): jobs.State => STATE[state];
export const toProtoSimulator = (simulator: Simulator): jobs.Simulator => SIMULATOR[simulator];
export const toProtoInputType = (inputType: InputType): jobs.InputType => INPUT_TYPE[inputType];

/** @throws ServiceError REQUEST_INVALID */
export function readPlatform(value: jobs.Platform): Platform {
  const platform = wordOf(PLATFORM, value);
  if (platform === undefined) throw invalidField('/platform', 'is not known');
  return platform;
}

/** Unspecified: any platform. @throws ServiceError REQUEST_INVALID */
export function readPlatformFilter(value: jobs.Platform): Platform | undefined {
  return value === jobs.Platform.PLATFORM_UNSPECIFIED ? undefined : readPlatform(value);
}

/** Unspecified: refuse. @throws ServiceError REQUEST_INVALID */
export function readOnUnsupported(value: jobs.OnUnsupported): OnUnsupported {
  if (value === jobs.OnUnsupported.ON_UNSUPPORTED_UNSPECIFIED) return 'refuse';
  const choice = nameOf(UNSUPPORTED_CHOICES, value);
  if (choice === undefined) throw invalidField('/on_unsupported', 'is not known');
  return choice;
}

/** @throws ServiceError REQUEST_INVALID */
export function readInputType(value: jobs.InputType): InputType {
  const inputType = wordOf(INPUT_TYPE, value);
  if (inputType === undefined) throw invalidField('/input_type', 'must be editor or files');
  return inputType;
}

/** @throws ServiceError REQUEST_INVALID */
export function readSimulator(value: jobs.Simulator): Simulator {
  const simulator = wordOf(SIMULATOR, value);
  if (simulator === undefined) throw invalidField('/sim_type', 'must be simA, simB, simC or simD');
  return simulator;
}

/** @throws ServiceError REQUEST_INVALID */
export function readExecutables(entries: readonly jobs.SimulatorExecutable[]): Executables {
  const executables = new Map<Simulator, string>();
  for (const { simulator, version } of entries) {
    const name = readSimulator(simulator);
    if (executables.has(name)) throw invalidField('/executables', `has ${name} twice`);
    if (!isVersion(version)) throw invalidField('/executables', `has a version of ${name} that is none`);
    executables.set(name, version);
  }
  return executables;
}

/** @throws ServiceError REQUEST_INVALID */
export function readState(value: jobs.State): State {
  const state = wordOf(STATE, value);
  if (state === undefined) throw invalidField('/job_state', 'is not a state');
  return state;
}

/** @throws ServiceError REQUEST_INVALID */
export function readOrder(value: jobs.JobOrder): 'start_time' | 'end_time' {
  switch (value) {
    case jobs.JobOrder.JOB_ORDER_UNSPECIFIED:
    case jobs.JobOrder.JOB_ORDER_START_TIME:
      return 'start_time';
    case jobs.JobOrder.JOB_ORDER_END_TIME:
      return 'end_time';
    default:
      throw invalidField('/order_by', 'must be start_time or end_time');
  }
}

/** PostgreSQL has no character 0; an id that holds one names nothing. */
const idText = (text: string) => text.replaceAll('\0', '\ufffd');
export const readJobId = (text: string) => idText(text) as JobId;
export const readAttemptId = (text: string) => idText(text) as AttemptId;
export const readRunnerId = (text: string) => idText(text) as RunnerId;
export const readMergeId = idText;

export function toDuration(ms: number): Duration {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Math.round(ms % 1000) * 1_000_000 };
}

export function toSeconds({ seconds, nanos }: Duration): number {
  return Number(seconds) + nanos / 1e9;
}

export function toProtoJob(job: Job, tasks: readonly Task[] = []): jobs.Job {
  return {
    jobId: job.jobId,
    title: job.title,
    platform: PLATFORM[job.platform],
    inputType: INPUT_TYPE[job.inputType],
    simulator: SIMULATOR[job.simulator],
    state: STATE[job.state],
    startTime: job.startTime,
    endTime: job.endTime ?? undefined,
    taskCount: job.taskCount,
    tasks: tasks.map(toProtoTask),
    seed: job.seed,
    failure: job.failure ?? '',
    clusterName: job.clusterName ?? '',
    waitingReason: job.waitingReason ?? '',
    simulationId: job.simulationId,
  };
}

export const toProtoJobWithTasks = (job: JobWithTasks): jobs.Job => toProtoJob(job, job.tasks);

function toProtoTask(task: Task): jobs.Task {
  return {
    taskId: task.taskId,
    state: STATE[task.state],
    requestedPrimaries: task.requestedPrimaries,
    simulatedPrimaries: task.simulatedPrimaries,
    lastUpdateTime: task.lastUpdateTime,
    estimatedTime: task.estimatedSeconds === null ? undefined : toDuration(task.estimatedSeconds * 1000),
    startTime: task.startTime ?? undefined,
    endTime: task.endTime ?? undefined,
    failure: task.failure ?? '',
    attemptCount: task.attemptCount,
  };
}

/** @throws ServiceError REQUEST_INVALID when there is no outcome */
export function readTaskEnd(outcome: jobs.ReportTaskEndRequest['outcome']): TaskEnd {
  switch (outcome?.$case) {
    case 'completed':
      return { kind: 'completed', simulatedPrimaries: outcome.value.simulatedPrimaries };
    case 'failed':
      return { kind: 'failed', ...outcome.value };
    case 'released':
      return { kind: 'released' };
    default:
      throw invalidField('/outcome', 'is missing');
  }
}

/** @throws ServiceError REQUEST_INVALID when there is no outcome */
export function readMergeEnd(outcome: jobs.ReportMergeEndRequest['outcome']): AttemptEnd {
  switch (outcome?.$case) {
    case 'merged':
      return { kind: 'completed' };
    case 'failed':
      return failedEnd(outcome.value.reason, outcome.value.message, outcome.value.isRetryable);
    case 'released':
      return { kind: 'released' };
    default:
      throw invalidField('/outcome', 'is missing');
  }
}

export function toProtoWatchPart(part: WatchPart): jobs.WatchJobEventsResponse {
  return part.kind === 'opened'
    ? { part: { $case: 'opened', value: part.beginning } }
    : { part: { $case: 'event', value: toProtoEvent(part.event) } };
}

function toProtoEvent({ id, jobId, happenedAt, change }: JobEvent): jobs.JobEvent {
  return { id, jobId, happenTime: happenedAt, change: toProtoChange(change) };
}

function toProtoChange(change: JobEvent['change']): jobs.JobEvent['change'] {
  switch (change.kind) {
    case 'job': {
      const { state, taskCount, startTime, endTime, failure, waitingReason } = change.job;
      const value = {
        state: STATE[state],
        taskCount,
        startTime,
        endTime: endTime ?? undefined,
        failure: failure ?? '',
        waitingReason: waitingReason ?? '',
      };
      return { $case: 'job', value };
    }
    case 'task':
      return { $case: 'task', value: toProtoTask({ ...change.task, attemptCount: 0 }) };
    case 'deleted':
      return { $case: 'deleted', value: {} };
  }
}
