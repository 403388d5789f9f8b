import { type Duration, jobs, STATES } from '@tally/contracts';
import type { JobId } from '../domain/job-id.js';
import type { BatchReport, JobState, TaskIdentity, TaskReport, TaskUpdate } from '../domain/ports.js';

/** The only conversion between contracts of other services and domain. Answers that break their contract throw. */

export function toJobState({ isOpen, state }: jobs.ReportBatchResponse): JobState {
  if (state === undefined) throw new Error('jobs sent no state');
  return { isOpen, endedTasks: new Set(state.endedTasks), updateKey: state.updateKey, mustFinish: state.mustFinish };
}

export function fromBatchReport(jobId: JobId, report: BatchReport): jobs.ReportBatchRequest {
  const { jobDir, arrayId, collectId, waitingReason, tasks = [], end } = report;
  return {
    jobId,
    jobDir,
    arrayId: arrayId === undefined ? undefined : BigInt(arrayId),
    collectId: collectId === undefined ? undefined : BigInt(collectId),
    waitingReason,
    tasks: tasks.map(fromTaskReport),
    end,
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
