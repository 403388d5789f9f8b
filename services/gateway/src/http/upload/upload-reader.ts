import { type ThreadPool, ThreadPoolError } from '@tally/service-kit';
import { fail } from '../../errors.js';
import type { TakenNumbers } from '../request/number-runs.js';
import type { UploadedEstimator } from '../schemas/uploaded-results.js';
import { readEstimators } from './read-estimators.js';
import { readText } from './read-texts.js';
import type { ReadRequest } from './read-thread.js';

/** A larger text is read by a thread, bytes: reading it here would keep other requests waiting. */
const THREAD_BYTES_MIN = 1_500_000;

/** Reads what is large in results of workers. */
export interface UploadReader {
  /**
   * @param text - a JSON list in UTF-8, as it was sent but for the numbers that were taken out of it
   * @param numbers - handed over: not to be read any more
   * @throws ServiceError as {@link readEstimators}, and OVERLOADED, BODY_TOO_LARGE
   */
  estimators(text: Buffer, pagesMax: number, numbers: TakenNumbers): Promise<readonly UploadedEstimator[]>;
  /**
   * What a text says, UTF-8.
   * @param text - a JSON string as it was sent, with its quotes
   * @throws ServiceError BODY_MALFORMED
   */
  text(text: Buffer): Promise<Buffer>;
}

/** @param threads - running read-thread.ts */
export function createUploadReader(threads: ThreadPool): UploadReader {
  const read = async <T>(request: ReadRequest, transfer: readonly ArrayBuffer[] = []): Promise<T> => {
    try {
      return await threads.run<T>(request, { transfer: [request.text.buffer as ArrayBuffer, ...transfer] });
    } catch (err) {
      throw err instanceof ThreadPoolError ? toServiceError(err) : err;
    }
  };
  return {
    async estimators(text, pagesMax, numbers) {
      if (text.length < THREAD_BYTES_MIN) return readEstimators(text, pagesMax, numbers);
      const { runs } = numbers;
      const buffers = runs.map((run) => run.buffer as ArrayBuffer);
      return read({ text: new Uint8Array(text), pagesMax, runs }, buffers);
    },
    text: async (text) => (text.includes('\\') ? readText(text) : text.subarray(1, -1)),
  };
}

function toServiceError(err: ThreadPoolError) {
  if (err.limit === 'waiting') return fail('OVERLOADED', { retryAfterMs: 1_000, cause: err });
  return fail('BODY_TOO_LARGE', { message: `The body takes too much ${err.limit} to read`, cause: err });
}
