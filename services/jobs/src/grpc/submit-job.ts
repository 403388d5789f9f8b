import type { jobs } from '@tally/contracts';
import { type SubmitJobPorts, submitJob } from '../domain/submit/submit-job.js';
import { receiveSubmission } from './receive-submission.js';

/** SubmitJob of jobs_service.proto. */
export function submitJobRpc(ports: SubmitJobPorts) {
  return async (messages: AsyncIterable<jobs.SubmitJobRequest>): Promise<jobs.SubmitJobResponse> => {
    const answer = await submitJob(ports, await receiveSubmission(messages, ports.limits));
    const { jobId, jobKey: simulationId = 0n, seed, warnings } = answer;
    return { jobId, simulationId, seed, warnings: [...warnings] };
  };
}
