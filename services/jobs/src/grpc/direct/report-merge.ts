import type { jobs } from '@tally/contracts';
import { reportMerge } from '../../domain/direct/report-merge.js';
import type { LeaseStore } from '../../domain/ports.js';
import { readMergeId, readRunnerId } from '../mappers.js';

/** ReportMerge of jobs_service.proto. */
export function reportMergeRpc(ports: { leases: LeaseStore; leaseMs: number }) {
  return async ({ mergeId, runnerId }: jobs.ReportMergeRequest): Promise<jobs.ReportMergeResponse> => ({
    mustStop: await reportMerge(ports, readMergeId(mergeId), readRunnerId(runnerId)),
  });
}
