import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { cancelJob } from '../domain/cancel-job.js';
import type { JobStore, Wake } from '../domain/ports.js';
import { readJobId, readPlatformFilter, toProtoState } from './mappers.js';

/** CancelJob of jobs_service.proto. */
export function cancelJobRpc(ports: { jobs: JobStore; wake: Wake }) {
  return async ({ jobId, platform }: jobs.CancelJobRequest): Promise<jobs.CancelJobResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    return { state: toProtoState(await cancelJob(ports, query)) };
  };
}
