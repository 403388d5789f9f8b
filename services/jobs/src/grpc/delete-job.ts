import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { deleteJob } from '../domain/delete-job.js';
import type { JobStore, StateStore } from '../domain/ports.js';
import { readJobId } from './mappers.js';

/** DeleteJob of jobs_service.proto. */
export function deleteJobRpc(ports: { readonly jobs: JobStore; readonly states: StateStore }) {
  return async ({ jobId }: jobs.DeleteJobRequest): Promise<jobs.DeleteJobResponse> => {
    await deleteJob(ports, { ownerId: actingUser(), jobId: readJobId(jobId), platform: undefined });
    return {};
  };
}
