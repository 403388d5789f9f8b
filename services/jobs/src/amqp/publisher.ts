import { MERGE_QUEUE, messages, TASK_QUEUE } from '@tally/contracts';
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
 * Sends messages of the outbox with confirms. The id of a message is that of its attempt or merge, the same each time
 * it is sent.
 */
export function createPublisher(lazy: LazyQueue, timeoutMs: number): Publisher {
  return {
    publish: async (message) => {
      const { requestId, traceparent: above } = message;
      const to = {
        'messaging.system': 'rabbitmq',
        'messaging.destination.name': queueOf(message),
        job_id: message.jobId,
      };
      const span = startSpan(`send ${queueOf(message)}`, 'producer', above ?? undefined, to);
      const traceparent = span?.traceparent ?? above;
      const headers = { 'x-request-id': requestId ?? newId(), ...(traceparent === null ? {} : { traceparent }) };
      const send = async () => {
        const queue = await lazy.get();
        await queue.publish(queueOf(message), { id: message.id, body: encode(message), headers });
      };
      const sent = withTimeout(send(), timeoutMs, `the broker did not confirm within ${timeoutMs} ms`);
      await traced(span, sent);
    },
  };
}

function queueOf(message: OutboxMessage): string {
  return message.kind === 'task' ? TASK_QUEUE : MERGE_QUEUE;
}

function encode(message: OutboxMessage): Uint8Array {
  const { jobId, id } = message;
  return message.kind === 'task'
    ? messages.TaskQueued.encode({ jobId, taskId: message.taskId, attemptId: id }).finish()
    : messages.MergeQueued.encode({ jobId, mergeId: id }).finish();
}
