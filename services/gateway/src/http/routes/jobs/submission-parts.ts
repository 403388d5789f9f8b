import type { jobs } from '@tally/contracts';
import { chunksOf } from '@tally/service-kit';

/** What goes in one message, bytes: one of many megabytes would keep the calls of others waiting. */
const MESSAGE_BYTES_MAX = 256 * 1024;

/** A submission as jobs takes it, to be submitted or estimated. */
export interface SubmissionToSend {
  readonly submission: Omit<jobs.Submission, 'simDataBytes'>;
  readonly simDataJson: Buffer;
}

/** The messages of SubmitJob and EstimateJob. */
export async function* submissionParts({
  submission,
  simDataJson,
}: SubmissionToSend): AsyncGenerator<jobs.SubmitJobRequest> {
  yield { part: { $case: 'submission', value: { ...submission, simDataBytes: BigInt(simDataJson.length) } } };
  for (const value of chunksOf(simDataJson, MESSAGE_BYTES_MAX)) yield { part: { $case: 'chunk', value } };
}
