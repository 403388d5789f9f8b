import { LRUCache } from 'lru-cache';

/** An answer, and the version of what it shows. */
interface KnownAnswer {
  readonly version: string;
  /** JSON. */
  readonly text: string;
  /** The last one who asked found another version: the next one probably does, too. */
  readonly isChanging: boolean;
}

/**
 * Answers as they were given last, by what was asked for: while that is as it was, it is neither read nor written again. Whose it
 * is, and its version now, the service that owns it says each time.
 */
export type KnownAnswers = LRUCache<string, KnownAnswer>;

/** What is kept beside text and name of an answer, bytes. */
const ENTRY_BYTES = 200;

/** @param bytesMax - of all together */
export function createKnownAnswers(bytesMax: number): KnownAnswers {
  return new LRUCache({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, name) => ENTRY_BYTES + name.length + Buffer.byteLength(text),
  });
}
