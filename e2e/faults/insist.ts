import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '@tally/client';

export const RETRY_MS = 100;
export const PATIENCE_MS = 180_000;

/**
 * Asks as a client should: again after 429 and 5xx, and where nobody answers; with a new session where the old one is over.
 * @param isFinal - answers with such a status that are not asked for again all the same
 * @throws HttpError of an answer that is final, and of the last one when three minutes are over
 */
export async function insist<T>(
  ask: () => Promise<T>,
  { login, isFinal = () => false }: { login: () => Promise<void>; isFinal?: (err: HttpError) => boolean },
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (err) {
      const status = err instanceof HttpError ? err.answer.status : undefined;
      const isRefused = err instanceof HttpError && isFinal(err);
      const isOver = isRefused || (status !== undefined && status < 500 && status !== 429 && status !== 401);
      if (isOver || performance.now() > until || String(err).includes('not as the OpenAPI')) throw err;
      if (status === 401) await login().catch(() => {});
    }
    await sleep(RETRY_MS);
  }
}
