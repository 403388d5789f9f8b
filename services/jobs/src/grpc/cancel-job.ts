import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { cancelJob } from '../domain/cancel-job.js';
import type { JobStore, StateStore } from '../domain/ports.js';
import { readJobId, readPlatformFilter, toProtoState } from './mappers.js';

/** CancelJob of jobs_service.proto. */
export function cancelJobRpc(ports: { readonly jobs: JobStore; readonly states: StateStore }) {
  return async ({ jobId, platform }: jobs.CancelJobRequest): Promise<jobs.CancelJobResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    return { state: toProtoState(await cancelJob(ports, query)) };
  };
}
