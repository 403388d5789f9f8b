import type { jobs } from '@tally/contracts';
import type { BatchOrderPorts } from '../domain/batch/get-batch-order.js';
import { getBatchState, type ReportBatchPorts, reportBatch } from '../domain/batch/report-batch.js';
import { readBatchReport } from './batch-mappers.js';
import { readJobId } from './mappers.js';

/** ReportBatch of jobs_service.proto. */
export function reportBatchRpc(ports: ReportBatchPorts & BatchOrderPorts) {
  return async (request: jobs.ReportBatchRequest): Promise<jobs.ReportBatchResponse> => {
    const jobId = readJobId(request.jobId);
    const isOpen = await reportBatch(ports, jobId, readBatchReport(request));
    return { isOpen, state: request.wantsState ? await getBatchState(ports, jobId) : undefined };
  };
}
