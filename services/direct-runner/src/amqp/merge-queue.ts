import { MERGE_QUEUE, messages } from '@tally/contracts';
import type { Queue } from '@tally/service-kit';
import type { ReceivedMessage } from '../worker/claim.js';
import { readDelivery } from './received.js';

/** The next merge that waits for a runner. Rejects when the signal aborts. */
export async function receiveMerge(queue: Queue, signal: AbortSignal): Promise<ReceivedMessage<string>> {
  const delivery = await queue.receive(MERGE_QUEUE, signal);
  return readDelivery(delivery, (body) => {
    const { mergeId } = messages.MergeQueued.decode(body);
    return mergeId === '' ? undefined : mergeId;
  });
}
