import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms`, or at once when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => undefined); // it rejects with nothing but the abort
}
