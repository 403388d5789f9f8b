import type { Delivery } from '@tally/service-kit';
import type { Received } from '../worker/claim.js';

/** A delivery with its content read by `read`; content that cannot be read is absent. */
export function readDelivery<T>(delivery: Delivery, read: (body: Uint8Array) => T | undefined): Received<T> {
  const content = (): T | undefined => {
    try {
      return read(delivery.message.body);
    } catch {
      return undefined;
    }
  };
  return {
    content: content(),
    done: () => delivery.ack(),
    later: () => delivery.retry(),
    bury: () => delivery.reject(),
  };
}
