import { messages, TASK_QUEUE } from '@tally/contracts';
import type { Queue } from '@tally/service-kit';
import type { AttemptId } from '../domain/task.js';
import type { ReceivedMessage } from '../worker/claim.js';
import { readDelivery } from './received.js';

/** The next attempt that waits for a runner. Rejects when the signal aborts. */
export async function receiveTask(queue: Queue, signal: AbortSignal): Promise<ReceivedMessage<AttemptId>> {
  const delivery = await queue.receive(TASK_QUEUE, signal);
  return readDelivery(delivery, (body) => {
    const { attemptId } = messages.TaskQueued.decode(body);
    return attemptId === '' ? undefined : (attemptId as AttemptId);
  });
}
