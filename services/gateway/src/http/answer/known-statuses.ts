import { LRUCache } from 'lru-cache';

/** An answer to who asked for the status of a job. */
interface KnownStatus {
  /** Of the job. */
  readonly version: string;
  /** JSON. */
  readonly text: string;
}

/**
 * Statuses as they were answered last, by job id: while a job is as it was, its tasks are neither read nor written again. Whose job it
 * is, and its version now, the service that owns jobs says each time.
 */
export type KnownStatuses = LRUCache<string, KnownStatus>;

/** @param bytesMax - of all together */
export function createKnownStatuses(bytesMax: number): KnownStatuses {
  return new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ text }) => Buffer.byteLength(text) });
}
