import type { jobs } from '@tally/contracts';
import { actingUser, currentContext } from '@tally/service-kit';
import { type Submission, type SubmitJobPorts, submitJob } from '../domain/submit/submit-job.js';
import { readInputType, readOnUnsupported, readPlatform, readSimulator, readTarget } from './mappers.js';

/** @throws ServiceError REQUEST_INVALID */
export function readSubmission(request: jobs.SubmitJobRequest): Submission {
  const { requestId = null, traceparent = null } = currentContext() ?? {};
  return {
    origin: { requestId, traceparent },
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
    target: request.target && readTarget(request.target),
    deliversInputs: request.deliversInputs,
  };
}

/** SubmitJob of jobs_service.proto. */
export function submitJobRpc(ports: SubmitJobPorts) {
  return async (request: jobs.SubmitJobRequest): Promise<jobs.SubmitJobResponse> => {
    const answer = await submitJob(ports, readSubmission(request));
    const { jobId, jobKey: simulationId = 0n, seed, warnings } = answer;
    return { jobId, simulationId, seed, warnings: [...warnings] };
  };
}
