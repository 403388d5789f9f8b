import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import type { JobStore } from '../domain/ports.js';
import { getJob } from '../domain/read/get-job.js';
import { estimateRemaining } from '../domain/read/remaining-time.js';
import { readJobQuery, toProtoColumns, toProtoJob } from './mappers.js';

/** GetJob of jobs_service.proto. */
export function getJobRpc(store: JobStore) {
  return async (request: jobs.GetJobRequest): Promise<jobs.GetJobResponse> => {
    const { version, shown } = await getJob(store, readJobQuery(actingUser(), request), request.knownVersion);
    if (shown === undefined) return { version };
    return {
      version,
      job: toProtoJob(shown),
      tasks: toProtoColumns(shown.tasks),
      remainingSeconds: estimateRemaining(shown),
    };
  };
}
