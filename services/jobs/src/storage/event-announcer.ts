import type { Logger } from '@tally/service-kit';
import type { UserId } from '../domain/job.js';
import type { Database } from './database.js';
import { notifyOwners } from './statements/events.js';

/** Tells those who follow events of these owners that there are new ones. Nobody waits for it. */
export type EventAnnouncer = (ownerIds: readonly UserId[]) => void;

/**
 * Announces by a statement of its own, after the commit: a transaction that notifies holds a lock of the whole server until its commit
 * has ended, so that commits would wait for each other (PostgreSQL, PreCommit_Notify). Owners that come while one is sent share the next.
 * An announcement is lost when this process ends first; the listener's next look finds its events.
 */
export function createEventAnnouncer(database: Database, logger: Logger): EventAnnouncer {
  let waiting = new Set<UserId>();
  let isSending = false;

  const sendAll = async () => {
    isSending = true;
    while (waiting.size > 0) {
      const ownerIds = [...waiting];
      waiting = new Set();
      await database.run(notifyOwners(ownerIds)).catch((err: unknown) => {
        logger.warn({ err, ownerCount: ownerIds.length }, 'events were not announced');
      });
    }
    isSending = false;
  };
  return (ownerIds) => {
    for (const ownerId of ownerIds) waiting.add(ownerId);
    if (waiting.size > 0 && !isSending) void sendAll();
  };
}
