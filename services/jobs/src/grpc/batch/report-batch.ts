import type { jobs } from '@tally/contracts';
import {
  type BatchStatePorts,
  getBatchState,
  type ReportBatchPorts,
  reportBatch,
} from '../../domain/batch/report-batch.js';
import { readJobId } from '../mappers.js';
import { readBatchReport } from './batch-mappers.js';

/** ReportBatch of jobs_service.proto. */
export function reportBatchRpc(ports: ReportBatchPorts & BatchStatePorts) {
  return async (request: jobs.ReportBatchRequest): Promise<jobs.ReportBatchResponse> => {
    const jobId = readJobId(request.jobId);
    const isOpen = await reportBatch(ports, jobId, readBatchReport(request));
    return { isOpen, state: request.wantsState ? await getBatchState(ports, jobId) : undefined };
  };
}
