import type { jobs } from '@tally/contracts';
import { type EndMergePorts, reportMergeEnd } from '../../domain/direct/report-merge-end.js';
import { readMergeEnd, readMergeId, readRunnerId } from '../mappers.js';

/** ReportMergeEnd of jobs_service.proto. */
export function reportMergeEndRpc(ports: EndMergePorts) {
  return async (request: jobs.ReportMergeEndRequest): Promise<jobs.ReportMergeEndResponse> => {
    const { mergeId, runnerId, outcome } = request;
    const end = readMergeEnd(outcome);
    const error = outcome?.$case === 'merged' ? outcome.value.relativeError : undefined;
    return { isApplied: await reportMergeEnd(ports, readMergeId(mergeId), readRunnerId(runnerId), end, error) };
  };
}
