import { kitError } from '@tally/service-kit';
import type { LimitFunction } from 'p-limit';

/** Runs `work` when there is a slot. @throws ServiceError CANCELLED when the caller has gone away by then */
export function inSlot<T>(slots: LimitFunction, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return slots(() => {
    requirePresent(signal);
    return work();
  });
}

/** @throws ServiceError CANCELLED when the caller went away */
export function requirePresent(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw kitError('CANCELLED');
}
