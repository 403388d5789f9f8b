import type { jobs } from '@tally/contracts';
import { type EndTaskPorts, reportTaskEnd } from '../../domain/direct/report-task-end.js';
import { readAttemptId, readTaskEnd } from '../mappers.js';

/** ReportTaskEnd of jobs_service.proto. */
export function reportTaskEndRpc(ports: EndTaskPorts) {
  return async ({ attemptId, outcome }: jobs.ReportTaskEndRequest): Promise<jobs.ReportTaskEndResponse> => ({
    isApplied: await reportTaskEnd(ports, readAttemptId(attemptId), readTaskEnd(outcome)),
  });
}
