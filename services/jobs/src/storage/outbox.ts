import type { Outbox } from '../domain/ports.js';
import type { Quotas } from '../domain/submit/quotas.js';
import type { Database } from './database.js';
import { giveBack, lockWindow, lookAtWindow, markPublished, reserveTasks } from './statements/outbox.js';

/** @param quotas - running tasks of a user, at most; 0: no bound */
export function createOutbox(database: Database, quotas: Pick<Quotas, 'runningTasksPerUserMax'>): Outbox {
  const { runningTasksPerUserMax } = quotas;
  /** As of the last round: a bound that is set holds from the next one on. */
  let hasQuotas = false;
  return {
    look: async (windowTasks) => {
      const found = await database.row(lookAtWindow());
      const { isWaiting = false, n = 0 } = found ?? {};
      return { isDue: isWaiting && n < windowTasks, isWindowFull: isWaiting && n >= windowTasks };
    },
    reserve: (windowTasks, forMs) => {
      const reserved = reserveTasks(windowTasks, forMs, runningTasksPerUserMax, hasQuotas);
      return database.change([lockWindow(), reserved], ([locked], tasks) => {
        hasQuotas = locked?.hasQuotas === true;
        const messages = tasks.toSorted((a, b) => Number(a.place - b.place));
        const isWindowFull = BigInt(tasks.length) >= (tasks[0]?.room ?? 0n);
        return { save: [], result: { messages, isWindowFull } };
      });
    },
    markPublished: async (outboxIds, afterMs, afterMaxMs) => {
      await database.run(markPublished(outboxIds, afterMs, afterMaxMs));
    },
    giveBack: async (outboxIds) => {
      await database.run(giveBack(outboxIds));
    },
  };
}
