import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { getJob } from '../domain/get-job.js';
import type { JobStore } from '../domain/ports.js';
import { toTasks } from '../domain/task.js';
import { readJobId, readPlatformFilter, toProtoColumns, toProtoJob } from './mappers.js';

/** GetJob of jobs_service.proto. */
export function getJobRpc(store: JobStore) {
  return async ({ jobId, platform, knownVersion }: jobs.GetJobRequest): Promise<jobs.GetJobResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    const { version, tasks, ...job } = await getJob(store, query, knownVersion);
    if (knownVersion === undefined) return { job: toProtoJob(job, tasks && toTasks(tasks)) };
    return { job: toProtoJob(job), version, tasks: tasks && toProtoColumns(tasks) };
  };
}
