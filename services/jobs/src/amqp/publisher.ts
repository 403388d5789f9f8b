import { messages, TASK_QUEUE } from '@tally/contracts';
import { type LazyQueue, newId, startSpan, traced, withTimeout } from '@tally/service-kit';
import type { OutboxMessage, Publisher } from '../domain/ports.js';

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
