import type { batchBridge } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { readJobId } from '../domain/job-id.js';

import { type SubmitBatchPorts, submitBatch as submit } from '../domain/submit-batch.js';
import { toMs, toProtoOutcome, toSchedulerOptions } from './mappers.js';

/** Kept back of the call's time, so that the answer still arrives. */
const ANSWER_MS = 500;

/** SubmitBatch. */
export async function submitBatch(
  ports: SubmitBatchPorts,
  { jobId, userId, clusterName, schedulerOptionsJson, wait }: batchBridge.SubmitBatchRequest,
): Promise<batchBridge.SubmitBatchResponse> {
  const schedulerOptions = toSchedulerOptions(schedulerOptionsJson);
  const untilMs = currentContext()?.deadline?.getTime() ?? Number.POSITIVE_INFINITY;
  const waitMs = Math.min(toMs(wait), untilMs - ports.clock.now().getTime() - ANSWER_MS);
  return toProtoOutcome(
    await submit(ports, { jobId: readJobId(jobId), userId, clusterName, schedulerOptions }, waitMs),
  );
}
