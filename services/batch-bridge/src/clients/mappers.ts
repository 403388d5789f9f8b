import { type Duration, jobs, STATES } from '@tally/contracts';
import type { JobId } from '../domain/job-id.js';
import type { BatchReport, JobState, TaskIdentity, TaskReport, TaskUpdate } from '../domain/ports.js';

/** The only conversion between contracts of other services and domain. Answers that break their contract throw. */

export function toJobState(isOpen: boolean, { endedTasks, updateKey }: jobs.BatchState): JobState {
  return { isOpen, endedTasks: new Set(endedTasks), updateKey };
}

/** The same from a release that does not put the state into its answer. */
export function fromOrder({ isOpen, tasks, updateKey }: jobs.GetBatchOrderResponse): JobState {
  const ended: readonly jobs.State[] = [STATES.COMPLETED, STATES.FAILED, STATES.CANCELED];
  const endedTasks = tasks.flatMap(({ taskId, state }) => (ended.includes(state) ? taskId : []));
  return { isOpen, endedTasks: new Set(endedTasks), updateKey };
}

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
    wantsState: false,
  };
}

function fromTaskReport({ taskId, state, failure }: TaskReport): jobs.BatchTaskReport {
  return { taskId, state: STATES[state], failure };
}

export const fromTaskIdentity = ({ jobId, updateKey, taskId }: TaskIdentity) => ({
  credential: { jobRef: jobId, updateKey },
  taskId,
});

export function fromTaskUpdate(task: TaskIdentity, update: TaskUpdate): jobs.UpdateTaskRequest {
  const { state, simulatedPrimaries = 0, remainingMs, startTime, endTime, failure = '' } = update;
  return {
    ...fromTaskIdentity(task),
    state: state === undefined ? jobs.State.STATE_UNSPECIFIED : STATES[state],
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
