import type { ParkingStore } from '../domain/direct/wait-ports.js';
import type { Database } from './database.js';
import { lookForWork, parkStranded, unparkRunnable } from './statements/parking.js';

export function createParkingStore(database: Database): ParkingStore {
  return {
    look: async () => (await database.row(lookForWork()))?.isDue ?? false,
    park: async () => (await database.rows(parkStranded())).length,
    unpark: async () => (await database.rows(unparkRunnable())).length,
  };
}
