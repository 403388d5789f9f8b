import { messages, TASK_QUEUE } from '@tally/contracts';
import { newId, type Queue, startSpan, traced, withTimeout } from '@tally/service-kit';
import type { OutboxMessage, Publisher } from '../domain/ports.js';

/** The queue, opened when it is first needed: the service takes jobs while the broker is away. */
export interface LazyQueue {
  /** Rejects when the queue cannot be opened; the next call tries again. */
  get(): Promise<Queue>;
  /** Ends the queue, also one that is still being opened; does not wait for that. */
  close(): Promise<void>;
}

export function lazyQueue(open: () => Promise<Queue>): LazyQueue {
  let opening: Promise<Queue> | undefined;
  let opened: Queue | undefined;
  let isClosed = false;
  const openOnce = async () => {
    try {
      const queue = await open();
      if (isClosed) await queue.close();
      else opened = queue;
      return queue;
    } catch (err) {
      opening = undefined;
      throw err;
    }
  };
  return {
    get: () => {
      if (isClosed) return Promise.reject(new Error('the queue is closed'));
      opening ??= openOnce();
      return opening;
    },
    close: async () => {
      isClosed = true;
      await opened?.close();
    },
  };
}

/**
 * Sends messages of the outbox with confirms. The id of a message is that of its attempt, the same each time it is sent.
 */
export function createPublisher(lazy: LazyQueue, timeoutMs: number): Publisher {
  return {
    publish: async (message) => {
      const { requestId, traceparent: above } = message;
      const to = {
        'messaging.system': 'rabbitmq',
        'messaging.destination.name': TASK_QUEUE,
        job_id: message.jobId,
      };
      const span = startSpan(`send ${TASK_QUEUE}`, 'producer', above ?? undefined, to);
      const traceparent = span?.traceparent ?? above;
      const headers = { 'x-request-id': requestId ?? newId(), ...(traceparent === null ? {} : { traceparent }) };
      const send = async () => {
        const queue = await lazy.get();
        await queue.publish(TASK_QUEUE, { id: message.attemptId, body: encode(message), headers });
      };
      const sent = withTimeout(send(), timeoutMs, `the broker did not confirm within ${timeoutMs} ms`);
      await traced(span, sent);
    },
  };
}

function encode({ jobId, taskId, attemptId }: OutboxMessage): Uint8Array {
  return messages.TaskQueued.encode({ jobId, taskId, attemptId }).finish();
}
