import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type ExtendPorts, extendJob } from '../domain/extend-job.js';
import { readJobId, readPlatformFilter } from './mappers.js';

/** ExtendJob of jobs_service.proto. */
export function extendJobRpc(ports: ExtendPorts) {
  return async (request: jobs.ExtendJobRequest): Promise<jobs.ExtendJobResponse> => {
    const { jobId, platform, primaries, taskCount, idempotencyKey } = request;
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    return extendJob(ports, query, { primaries: Number(primaries), taskCount, idempotencyKey });
  };
}
