import type { jobs } from '@tally/contracts';
import { reportTask } from '../domain/direct/report-task.js';
import type { StateStore } from '../domain/ports.js';
import { readAttemptId, toSeconds } from './mappers.js';

/** ReportTask of jobs_service.proto. */
export function reportTaskRpc(ports: { states: StateStore; leaseMs: number }) {
  return async (request: jobs.ReportTaskRequest): Promise<jobs.ReportTaskResponse> => {
    const { simulatedPrimaries, estimatedTime } = request;
    const estimatedSeconds = estimatedTime === undefined ? undefined : toSeconds(estimatedTime);
    const progress = { simulatedPrimaries, estimatedSeconds };
    return { mustStop: await reportTask(ports, readAttemptId(request.attemptId), progress) };
  };
}
