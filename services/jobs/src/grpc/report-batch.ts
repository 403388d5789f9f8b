import type { jobs } from '@tally/contracts';
import { type ReportBatchPorts, reportBatch } from '../domain/report-batch.js';
import { readBatchReport } from './batch-mappers.js';
import { readJobId } from './mappers.js';

/** ReportBatch of jobs_service.proto. */
export function reportBatchRpc(ports: ReportBatchPorts) {
  return async (request: jobs.ReportBatchRequest): Promise<jobs.ReportBatchResponse> => ({
    isOpen: await reportBatch(ports, readJobId(request.jobId), readBatchReport(request)),
  });
}
