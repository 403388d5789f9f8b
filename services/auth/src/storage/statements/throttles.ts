import { type Sql, sql } from '@tally/service-kit';
import type { ThrottleCount } from '../../domain/throttle/throttle-count.js';
import type { Throttle } from '../../generated/prisma/client.js';

type Window = Pick<Throttle, 'windowEndsAt'>;

/** Counts an attempt: starts a window, or counts in the one that runs while there is room. No row: there is none. */
export const takeAttempt = (
  { scope, subject, attemptsMax, windowMs }: ThrottleCount,
  now: Date,
): Sql<Window> => sql<Window>`
  INSERT INTO throttles AS t (scope, subject, attempt_count, window_ends_at)
  VALUES (${scope}, ${subject}, 1, ${new Date(now.getTime() + windowMs)})
  ON CONFLICT (scope, subject) DO UPDATE SET
    attempt_count = CASE WHEN t.window_ends_at <= ${now} THEN 1 ELSE t.attempt_count + 1 END,
    window_ends_at = CASE WHEN t.window_ends_at <= ${now} THEN EXCLUDED.window_ends_at ELSE t.window_ends_at END
  WHERE t.window_ends_at <= ${now} OR t.attempt_count < ${attemptsMax}
  RETURNING window_ends_at AS "windowEndsAt"`;
