import { type Delivery, readTraceparent } from '@tally/service-kit';
import type { ReceivedMessage } from '../worker/claim.js';

/** A delivery with its content read by `read`; content that cannot be read is absent. */
export function readDelivery<T>(delivery: Delivery, read: (body: Uint8Array) => T | undefined): ReceivedMessage<T> {
  const content = (): T | undefined => {
    try {
      return read(delivery.message.body);
    } catch {
      return undefined;
    }
  };
  const { 'x-request-id': requestId, traceparent } = delivery.message.headers;
  return {
    content: content(),
    origin: { requestId, traceparent: readTraceparent(traceparent) },
    ack: () => delivery.ack(),
    requeue: () => delivery.retry(),
    deadLetter: () => delivery.reject(),
  };
}
