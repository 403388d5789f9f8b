import type { JobId } from '../domain/job.js';
import { isTerminal, type State } from '../domain/job-state.js';
import type { LeavingStore } from '../domain/operate/operator-ports.js';
import type { Database } from './database.js';
import type { EventAnnouncer } from './event-announcer.js';
import {
  addHandOver,
  addLeaving,
  belongingsOf,
  deleteLeaving,
  giveJobs,
  giveProjects,
  listDueOwners,
  lockOwned,
  removeProjects,
  removeRest,
  totalsOf,
} from './statements/operate/leaving.js';
import { eventOwners, writeChangeEvents } from './statements/write-events.js';

export function createLeavingStore(database: Database, announce: EventAnnouncer): LeavingStore {
  return {
    addOwners: async (ownerIds, dueAt) => {
      await database.run(addLeaving(ownerIds, dueAt));
    },
    addHandOver: async (ownerId, newOwnerId) => {
      await database.change([], () => ({ save: addHandOver(ownerId, newOwnerId), result: undefined }));
    },
    keepOwners: async (ownerIds) => {
      for (const statement of deleteLeaving(ownerIds)) await database.run(statement);
    },
    countBelongings: async (ownerId) => (await database.row(belongingsOf(ownerId))) ?? { jobCount: 0, projectCount: 0 },
    readTotals: async (ownerId, otherId) => {
      const totals = await database.row(totalsOf(ownerId, otherId));
      if (totals === undefined) throw new Error('a sum without its row');
      return totals;
    },
    listDue: async (limit) => database.rows(listDueOwners(limit)),
    listJobs: async (ownerId, take) => {
      const select = { jobId: true, platform: true, state: true };
      const rows = await database.client.job.findMany({ where: { ownerId }, select, orderBy: { id: 'asc' }, take });
      return rows.map(({ jobId, platform, state }) => ({
        jobId: jobId as JobId,
        isOpenOnCluster: platform === 'batch' && !isTerminal(state as State),
      }));
    },
    giveJobs: async (ownerId, newOwnerId, jobIds) => {
      const owners = await database.change([lockOwned(ownerId, jobIds)], (rows) => {
        const keys = rows.map(({ jobKey }) => jobKey);
        const events = writeChangeEvents(keys.map((jobKey) => ({ jobKey, kind: 'job' })));
        const save = keys.length === 0 ? [] : [...giveJobs(keys, newOwnerId), ...events];
        return { save, result: eventOwners };
      });
      announce(owners);
    },
    giveProjects: async (ownerId, newOwnerId) => {
      await database.change([], () => ({ save: giveProjects(ownerId, newOwnerId), result: undefined }));
    },
    removeProjects: async (ownerId) => {
      await database.run(removeProjects(ownerId));
    },
    removeRest: async (ownerId) => {
      for (const statement of removeRest(ownerId)) await database.run(statement);
    },
  };
}
