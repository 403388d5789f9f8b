import { createBatcher, type Logger } from '@tally/service-kit';
import type { UserId } from '../domain/job.js';
import type { Database } from './database.js';
import { notifyOwners } from './statements/events.js';

/** Tells those who follow events of these owners that there are new ones. Nobody waits for it. */
export type EventAnnouncer = (ownerIds: readonly UserId[]) => void;

/** Changes whose events one statement announces. */
const CHANGES_AT_ONCE_MAX = 1_000;

/**
 * Announces by a statement of its own, after the commit: a transaction that notifies holds a lock of the whole server until its commit
 * has ended, so that commits would wait for each other (PostgreSQL, PreCommit_Notify). Owners that come while one is sent share the next.
 * An announcement is lost when this process ends first; the listener's next look finds its events.
 */
export function createEventAnnouncer(database: Database, logger: Logger): EventAnnouncer {
  const announce = createBatcher<readonly UserId[], void>({
    sizeMax: CHANGES_AT_ONCE_MAX,
    run: async (changes) => {
      const ownerIds = [...new Set(changes.flat())];
      await database.run(notifyOwners(ownerIds)).catch((err: unknown) => {
        logger.warn({ err, ownerCount: ownerIds.length }, 'events were not announced');
      });
      return changes.map(() => {});
    },
  });
  return (ownerIds) => {
    if (ownerIds.length > 0) void announce(ownerIds);
  };
}
