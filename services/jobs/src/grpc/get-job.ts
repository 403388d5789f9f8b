import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { getJob } from '../domain/get-job.js';
import type { JobStore } from '../domain/ports.js';
import { readJobId, readPlatformFilter, toProtoJobWithTasks } from './mappers.js';

/** GetJob of jobs_service.proto. */
export function getJobRpc(store: JobStore) {
  return async ({ jobId, platform }: jobs.GetJobRequest): Promise<jobs.GetJobResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    return { job: toProtoJobWithTasks(await getJob(store, query)) };
  };
}
