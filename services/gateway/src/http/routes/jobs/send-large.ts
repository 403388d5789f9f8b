import type { jobs } from '@tally/contracts';
import { chunksOf, ServiceError } from '@tally/service-kit';

/** What goes in one message, bytes: one of many megabytes would keep the calls of others waiting. */
const MESSAGE_BYTES_MAX = 256 * 1024;

/** Sends a submission in one message, or, when it is large, in parts; as one, too, to a service of the release before. */
export async function sendLarge<T>(
  submission: jobs.SubmitJobRequest,
  sendWhole: () => Promise<T>,
  sendParts: (parts: AsyncIterable<jobs.SubmitLargeJobRequest>) => Promise<T>,
): Promise<T> {
  if (submission.simDataJson.length <= MESSAGE_BYTES_MAX) return sendWhole();
  try {
    return await sendParts(partsOf(submission));
  } catch (err) {
    if (!(err instanceof ServiceError && err.status === 'UNIMPLEMENTED')) throw err;
    return sendWhole();
  }
}

async function* partsOf(submission: jobs.SubmitJobRequest): AsyncGenerator<jobs.SubmitLargeJobRequest> {
  const { simDataJson } = submission;
  const header = {
    submission: { ...submission, simDataJson: Buffer.alloc(0) },
    simDataBytes: BigInt(simDataJson.length),
  };
  yield { part: { $case: 'header', value: header } };
  for (const value of chunksOf(simDataJson, MESSAGE_BYTES_MAX)) yield { part: { $case: 'chunk', value } };
}
