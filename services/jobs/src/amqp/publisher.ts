import { MERGE_QUEUE, messages, TASK_QUEUE } from '@tally/contracts';
import { currentContext, newId, type Queue } from '@tally/service-kit';
import type { OutboxMessage, Publisher } from '../domain/ports.js';

/** The queue, opened when it is first needed: the service takes jobs while the broker is away. */
export interface LazyQueue {
  get(): Promise<Queue>;
  close(): Promise<void>;
}

/** Opens at the first use, and again when that failed. */
export function lazyQueue(open: () => Promise<Queue>): LazyQueue {
  let opening: Promise<Queue> | undefined;
  let isClosed = false;
  return {
    get: () => {
      if (isClosed) return Promise.reject(new Error('the queue is closed'));
      opening ??= open().catch((err: unknown) => {
        opening = undefined;
        throw err;
      });
      return opening;
    },
    close: async () => {
      isClosed = true;
      const queue = await opening?.catch(() => undefined);
      await queue?.close();
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
      const queue = await lazy.get();
      const headers = { 'x-request-id': currentContext()?.requestId ?? newId() };
      await withTimeout(queue.publish(queueOf(message), { id: message.id, body: encode(message), headers }), timeoutMs);
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

async function withTimeout(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the broker did not confirm within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
