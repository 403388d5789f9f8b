import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type SubmitJobPorts, submitJob } from '../domain/submit/submit-job.js';
import { readInputType, readOnUnsupported, readPlatform, readSimulator } from './mappers.js';

/** SubmitJob of jobs_service.proto. */
export function submitJobRpc(ports: SubmitJobPorts) {
  return async (request: jobs.SubmitJobRequest): Promise<jobs.SubmitJobResponse> => {
    const answer = await submitJob(ports, {
      ownerId: actingUser(),
      platform: readPlatform(request.platform),
      simulator: readSimulator(request.simulator),
      inputType: readInputType(request.inputType),
      taskCount: request.taskCount,
      title: request.title,
      simDataJson: request.simDataJson,
      seed: request.seed,
      onUnsupported: readOnUnsupported(request.onUnsupported),
      idempotencyKey: request.idempotencyKey,
      clusterName: request.clusterName,
      schedulerOptionsJson: request.schedulerOptionsJson,
    });
    const { jobId, simulationId = 0n, seed, warnings } = answer;
    return { jobId, simulationId, seed, warnings: [...warnings] };
  };
}
