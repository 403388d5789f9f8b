import type { Duty, DutyStore } from '../domain/duties/duty.js';
import type { Database } from './database.js';
import { deleteDuty, holdDuties, postponeDuty, repeatSubmit, takeDue } from './statements/duties.js';

export function createDutyStore(database: Database): DutyStore {
  return {
    takeDue: async ({ merges, others }, holdMs) => {
      const rows = await database.rows(takeDue(merges, others, holdMs));
      return rows.map(({ payload, ...duty }) => ({ ...duty, ...payload }) as Duty);
    },
    hold: async (ids, holdMs) => {
      await database.run(holdDuties(ids, holdMs));
    },
    finish: async (id) => {
      await database.run(deleteDuty(id));
    },
    postpone: async (id, afterMs) => {
      await database.run(postponeDuty(id, afterMs));
    },
    repeatSubmit: async (jobId, afterMs) => {
      await database.run(repeatSubmit(jobId, afterMs));
    },
  };
}
