import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { yieldProcessor } from './yield-processor.js';

/** What a thread makes of a request. */
export interface ThreadResult {
  readonly value: unknown;
  /** Memory that is handed over instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** What a thread answers: a value, or an error that a copy between threads would take the class of. */
export type ThreadAnswer =
  | { readonly value: unknown }
  | {
      readonly refused: Pick<ServiceError, 'domain' | 'reason' | 'status' | 'message' | 'fields' | 'retryAfterMs'>;
      /** Stack of what caused it. */
      readonly cause: string | undefined;
    }
  | { readonly failed: string };

/** The program of a thread of a {@link ThreadPool}, which asks for one thing at a time. The thread leaves the processors to event loops. */
export function serveThread(work: (input: never) => ThreadResult | Promise<ThreadResult>): void {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  yieldProcessor();
  const answer = async (input: unknown): Promise<void> => {
    let result: ThreadResult;
    try {
      result = await work(input as never);
    } catch (err) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      port.postMessage(answerOf(err));
      return;
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage({ value: result.value } satisfies ThreadAnswer, [...(result.transfer ?? [])]);
  };
  port.on('message', (input: unknown) => void answer(input));
}

function answerOf(err: unknown): ThreadAnswer {
  if (!(err instanceof ServiceError))
    return { failed: err instanceof Error ? (err.stack ?? err.message) : String(err) };
  const { domain, reason, status, message, fields, retryAfterMs } = err;
  const cause = err.cause instanceof Error ? err.cause.stack : undefined;
  return { refused: { domain, reason, status, message, fields, retryAfterMs }, cause };
}
