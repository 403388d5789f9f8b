import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { requireOwn } from '../domain/owned.js';
import type { JobStore } from '../domain/ports.js';
import { readJobId } from './mappers.js';

/** ListJobRunners of jobs_service.proto. */
export function listJobRunnersRpc(store: JobStore) {
  return async ({ jobId }: jobs.ListJobRunnersRequest): Promise<jobs.ListJobRunnersResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: undefined };
    return { runners: [...requireOwn(await store.listRunners(query))] };
  };
}
