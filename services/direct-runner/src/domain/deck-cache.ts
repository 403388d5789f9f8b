import type { DeckFiles } from '@tally/simulators';
import type { DeckCache, TaskResults } from './ports.js';
import type { JobId } from './task.js';

/** A deck that is being fetched, for everybody who wants it. */
interface Fetch {
  readonly deck: Promise<DeckFiles>;
  readonly abort: AbortController;
  waitingCount: number;
}

/**
 * Fetches the deck of a job once for all of its tasks, also for those that ask at the same time. Keeps those used last,
 * of at most `bytesMax` together; a deck that is larger is fetched for each task.
 */
export function createDeckCache({ getDeck }: Pick<TaskResults, 'getDeck'>, bytesMax: number): DeckCache {
  const kept = new Map<JobId, DeckFiles>(); // used last at the end
  const fetches = new Map<JobId, Fetch>();
  let keptBytes = 0;

  const keep = (jobId: JobId, deck: DeckFiles) => {
    kept.set(jobId, deck);
    keptBytes += sizeBytes(deck);
    for (const [oldest, files] of kept) {
      if (keptBytes <= bytesMax) return;
      kept.delete(oldest);
      keptBytes -= sizeBytes(files);
    }
  };
  const startFetch = (jobId: JobId): Fetch => {
    const abort = new AbortController();
    const run = async () => {
      try {
        const deck = await getDeck(jobId, abort.signal);
        keep(jobId, deck);
        return deck;
      } finally {
        if (fetches.get(jobId) === fetch) fetches.delete(jobId);
      }
    };
    const fetch: Fetch = { deck: run(), abort, waitingCount: 0 };
    fetches.set(jobId, fetch);
    return fetch;
  };
  /** One caller that aborts does not abort the fetch for the others; the last one does. */
  const leave = (jobId: JobId, fetch: Fetch) => {
    fetch.waitingCount -= 1;
    if (fetch.waitingCount > 0 || fetches.get(jobId) !== fetch) return;
    fetches.delete(jobId);
    fetch.abort.abort('no caller waits');
  };
  return {
    async get(jobId, signal) {
      const deck = kept.get(jobId);
      if (deck !== undefined) {
        kept.delete(jobId);
        kept.set(jobId, deck);
        return deck;
      }
      const fetch = fetches.get(jobId) ?? startFetch(jobId);
      fetch.waitingCount += 1;
      try {
        return await unlessAborted(fetch.deck, signal);
      } finally {
        leave(jobId, fetch);
      }
    },
  };
}

/** Two bytes a character: what a text may take in memory. */
function sizeBytes(deck: DeckFiles): number {
  return Object.entries(deck).reduce((sum, [name, text]) => sum + 2 * (name.length + text.length), 0);
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
