import type { jobs } from '@tally/contracts';
import { invalidField } from '../domain/errors.js';
import { checkSimDataBytes, type SubmissionLimits } from '../domain/submit/submit-job.js';

/** Puts the pieces together, in memory that the thread that converts them shares: nothing is copied as a whole. */
export async function receiveSubmission(
  messages: AsyncIterable<Pick<jobs.SubmitLargeJobRequest, 'part'>>,
  limits: SubmissionLimits,
): Promise<jobs.SubmitJobRequest> {
  let submission: jobs.SubmitJobRequest | undefined;
  let simDataJson: Buffer = Buffer.alloc(0);
  let at = 0;
  for await (const { part } of messages) {
    if (part?.$case === 'header' && submission === undefined && part.value.submission !== undefined) {
      const bytes = Number(part.value.simDataBytes);
      checkSimDataBytes(limits, bytes);
      submission = part.value.submission;
      simDataJson = Buffer.from(new SharedArrayBuffer(bytes));
    } else if (part?.$case === 'chunk' && at + part.value.length <= simDataJson.length) {
      simDataJson.set(part.value, at);
      at += part.value.length;
    } else throw invalidField('/sim_data', 'is not what its header says');
  }
  if (submission === undefined || at < simDataJson.length) throw invalidField('/sim_data', 'is not complete');
  return { ...submission, simDataJson };
}
