import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import type { JobStore } from '../domain/ports.js';
import { listJobs } from '../domain/read/list-jobs.js';
import { readListQuery, toProtoJob } from './mappers.js';

/** ListJobs of jobs_service.proto. */
export function listJobsRpc(store: JobStore) {
  return async (request: jobs.ListJobsRequest): Promise<jobs.ListJobsResponse> => {
    const { version, shown } = await listJobs(store, readListQuery(actingUser(), request), request.knownVersion);
    return { version, page: shown && { jobs: shown.jobs.map(toProtoJob), jobCount: BigInt(shown.jobCount) } };
  };
}
