import type { jobs } from '@tally/contracts';
import { reportTask } from '../../domain/direct/report-task.js';
import type { StateStore } from '../../domain/ports.js';
import { readAttemptId, readProgress } from '../mappers.js';

/** ReportTask of jobs_service.proto. */
export function reportTaskRpc(ports: { states: StateStore; leaseMs: number }) {
  return async (request: jobs.ReportTaskRequest): Promise<jobs.ReportTaskResponse> => {
    const wanted = await reportTask(ports, readAttemptId(request.attemptId), readProgress(request));
    return { mustStop: wanted === 'stop', ...(wanted === 'finish' ? { mustFinish: true } : {}) };
  };
}
