import type { jobs } from '@tally/contracts';
import type { EstimatePorts } from '../domain/submit/estimate-job.js';
import { estimateJobRpc } from './estimate-job.js';
import { receiveSubmission } from './large-submission.js';

/** EstimateLargeJob of jobs_service.proto. */
export function estimateLargeJobRpc(ports: EstimatePorts) {
  const estimate = estimateJobRpc(ports);
  return async (messages: AsyncIterable<jobs.EstimateLargeJobRequest>): Promise<jobs.EstimateLargeJobResponse> => ({
    estimate: await estimate({ submission: await receiveSubmission(messages, ports.limits) }),
  });
}
