import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import type { JobStore } from '../domain/ports.js';
import { getJob } from '../domain/read/get-job.js';
import { toTasks } from '../domain/task.js';
import { readJobQuery, toProtoColumns, toProtoJob } from './mappers.js';

/** GetJob of jobs_service.proto. */
export function getJobRpc(store: JobStore) {
  return async (request: jobs.GetJobRequest): Promise<jobs.GetJobResponse> => {
    const { knownVersion } = request;
    const { version, tasks, ...job } = await getJob(store, readJobQuery(actingUser(), request));
    if (knownVersion === undefined) return { job: toProtoJob(job, toTasks(tasks)) };
    return { job: toProtoJob(job), version, tasks: version === knownVersion ? undefined : toProtoColumns(tasks) };
  };
}
