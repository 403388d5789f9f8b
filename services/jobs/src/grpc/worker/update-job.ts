import type { jobs } from '@tally/contracts';
import { updateJob } from '../../domain/worker/update-job.js';
import type { WorkerPorts } from '../../domain/worker/worker-ports.js';
import { readCredential, readJobUpdate } from './worker-mappers.js';

/** UpdateJob of jobs_service.proto. */
export function updateJobRpc(ports: WorkerPorts) {
  return async (request: jobs.UpdateJobRequest): Promise<jobs.UpdateJobResponse> => ({
    isApplied: await updateJob(ports, readCredential(request.credential), readJobUpdate(request)),
  });
}
