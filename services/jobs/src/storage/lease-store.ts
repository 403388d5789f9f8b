import type { LeaseStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { listExpiredLeases } from './statements/leases.js';

export function createLeaseStore(database: Database): LeaseStore {
  return {
    listExpired: async (limit) => (await database.rows(listExpiredLeases(limit))).map(({ id }) => id),
  };
}
