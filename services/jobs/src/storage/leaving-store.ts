import type { JobId } from '../domain/job.js';
import type { LeavingStore } from '../domain/operate/operator-ports.js';
import type { Database } from './database.js';
import { addLeaving, belongingsOf, listDueOwners, removeRest } from './statements/operate/leaving.js';

export function createLeavingStore(database: Database): LeavingStore {
  return {
    addOwners: async (ownerIds, dueAt) => {
      await database.run(addLeaving(ownerIds, dueAt));
    },
    keepOwners: async (ownerIds) => {
      await database.client.leavingOwner.deleteMany({ where: { ownerId: { in: [...ownerIds] } } });
    },
    countBelongings: async (ownerId) => (await database.row(belongingsOf(ownerId))) ?? { jobCount: 0, projectCount: 0 },
    listDue: async (limit) => (await database.rows(listDueOwners(limit))).map(({ ownerId }) => ownerId),
    listJobs: async (ownerId, take) => {
      const rows = await database.client.job.findMany({ where: { ownerId }, select: { jobId: true }, take });
      return rows.map(({ jobId }) => jobId as JobId);
    },
    removeRest: async (ownerId) => {
      for (const statement of removeRest(ownerId)) await database.run(statement);
    },
  };
}
