import { sql } from '@tally/service-kit';
import type { UserId } from '../domain/job.js';
import type { TurnStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { runningOf } from './usage.js';

interface TurnRow {
  readonly ownerId: UserId;
  readonly isRunning: boolean;
  readonly isIdleUserWaiting: boolean;
  readonly isLongerIdleUserWaiting: boolean;
  readonly deferredMs: number | null;
}

export function createTurnStore(database: Database): TurnStore {
  return {
    // `waiting` hops from owner to owner in the index of the outbox; LIMIT keeps the planner from joining all that run
    find: async (attemptId) => {
      const row = await database.row(sql<TurnRow>`
        WITH RECURSIVE mine AS (
          SELECT owner_id, deferred_at FROM outbox WHERE kind = 'task' AND attempt_id = ${attemptId}
        ), waiting AS (
          (SELECT owner_id FROM outbox WHERE kind = 'task' ORDER BY owner_id LIMIT 1)
          UNION ALL
          SELECT (SELECT later.owner_id FROM outbox later WHERE kind = 'task' AND later.owner_id > earlier.owner_id
                  ORDER BY later.owner_id LIMIT 1)
          FROM waiting earlier WHERE earlier.owner_id IS NOT NULL
        ), idle AS (
          SELECT given_at FROM waiting LEFT JOIN dispatch_turns ON dispatch_turns.owner_id = waiting.owner_id
          WHERE waiting.owner_id <> (SELECT owner_id FROM mine)
            AND (${runningOf(sql`waiting.owner_id`)} LIMIT 1) IS NULL
        )
        SELECT mine.owner_id AS "ownerId", (${runningOf(sql`mine.owner_id`)} LIMIT 1) IS NOT NULL AS "isRunning",
          EXISTS (SELECT 1 FROM idle) AS "isIdleUserWaiting",
          EXISTS (SELECT 1 FROM idle WHERE own.given_at IS NOT NULL AND (idle.given_at IS NULL OR idle.given_at < own.given_at))
            AS "isLongerIdleUserWaiting",
          (extract(epoch FROM now() - mine.deferred_at) * 1000)::float8 AS "deferredMs"
        FROM mine LEFT JOIN dispatch_turns own ON own.owner_id = mine.owner_id`);
      return row && { ...row, deferredMs: row.deferredMs ?? undefined };
    },
    defer: async (attemptId) => {
      await database.run(sql`
        UPDATE outbox SET deferred_at = now(), in_flight_until = NULL
        WHERE id IN (SELECT id FROM outbox WHERE attempt_id = ${attemptId} FOR UPDATE SKIP LOCKED)`);
    },
    noteGiven: async (ownerId) => {
      await database.run(sql`
        INSERT INTO dispatch_turns (owner_id, served_at, given_at) VALUES (${ownerId}, clock_timestamp(), clock_timestamp())
        ON CONFLICT (owner_id) DO UPDATE SET given_at = EXCLUDED.given_at`);
    },
  };
}
