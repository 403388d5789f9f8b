import type { jobs } from '@tally/contracts';
import type { SubmitJobPorts } from '../domain/submit/submit-job.js';
import { receiveSubmission } from './large-submission.js';
import { submitJobRpc } from './submit-job.js';

/** SubmitLargeJob of jobs_service.proto. */
export function submitLargeJobRpc(ports: SubmitJobPorts) {
  const submit = submitJobRpc(ports);
  return async (messages: AsyncIterable<jobs.SubmitLargeJobRequest>): Promise<jobs.SubmitLargeJobResponse> => ({
    job: await submit(await receiveSubmission(messages, ports.limits)),
  });
}
