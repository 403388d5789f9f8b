import type { UsageStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { sumStoredBytes } from './statements/inputs.js';

/** What users have stored, in PostgreSQL. */
export function createUsageStore(db: Database): UsageStore {
  return {
    async readStoredBytes(ownerId) {
      const row = await db.row(sumStoredBytes(ownerId));
      return row?.bytes ?? 0;
    },
  };
}
