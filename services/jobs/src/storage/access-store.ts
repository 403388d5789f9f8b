import type { Decision } from '@tally/service-kit';
import type { AccessStore, NewShare, Shown } from '../domain/access/access-ports.js';
import { type Resource, readSubject, type Share } from '../domain/access/share.js';
import type { Owned } from '../domain/ports.js';
import type { Project } from '../domain/project/project.js';
import type { Database } from './database.js';
import { pageOfSharedJobs, pageOfSharedProjects, type SharedJobRow } from './statements/access/shared-pages.js';
import {
  countShares,
  deleteExpiredShares,
  deleteShare,
  findAccess,
  findLink,
  insertShare,
  listShares,
  lockShared,
  type ShareRow,
  setGroup,
} from './statements/access/shares.js';
import { type JobRow, toJob } from './statements/job-row.js';

/** Who has access, in PostgreSQL. */
export function createAccessStore(database: Database): AccessStore {
  const own = async <T>(resource: Resource, value: T | undefined): Promise<Owned<T>> =>
    value === undefined ? { kind: await explainMiss(database, resource) } : { kind: 'own', value };
  return {
    findAccess: (resource, subjects) => database.row(findAccess(resource, subjects)),
    async findLink(linkHash) {
      const row = await database.row(findLink(linkHash));
      if (row === undefined) return undefined;
      const { jobId, projectId, title, expiresAt } = row;
      const resource = { kind: jobId === null ? ('project' as const) : ('job' as const), id: jobId ?? projectId ?? '' };
      return { resource, title, expiresAt };
    },
    async listShares(ownerId, resource) {
      const rows = await database.rows(listShares(ownerId, resource));
      const [first] = rows;
      return own(resource, first && { shares: rows.flatMap(toShare), groupId: first.groupId });
    },
    createShare: async (share, sharesMax) => own(share.resource, await createShare(database, share, sharesMax)),
    deleteShare: async (ownerId, shareId) => (await database.run(deleteShare(ownerId, shareId))) > 0,
    async setGroup(ownerId, resource, groupId) {
      const count = await database.run(setGroup(ownerId, resource, groupId));
      return own(resource, count === 0 ? undefined : true);
    },
    async listJobs(scope, query) {
      const rows = await database.rows(pageOfSharedJobs(scope, query));
      const found = rows.filter((row): row is SharedJobRow & JobRow => row.jobKey !== null);
      return { rows: found.map((row) => toShown(row, toJob(row))), count: Number(rows[0]?.jobCount ?? 0n) };
    },
    async listProjects(scope, query) {
      const rows = await database.rows(pageOfSharedProjects(scope, query));
      const found = rows.filter((row): row is typeof row & Project => row.projectId !== null);
      return { rows: found.map((row) => toShown(row, row)), count: Number(rows[0]?.count ?? 0n) };
    },
    async deleteExpiredShares() {
      await database.run(deleteExpiredShares());
    },
  };
}

async function explainMiss({ client }: Database, { kind, id }: Resource): Promise<'foreign' | 'missing'> {
  const count =
    kind === 'job'
      ? await client.job.count({ where: { jobId: id } })
      : await client.project.count({ where: { projectId: id } });
  return count > 0 ? 'foreign' : 'missing';
}

const toShown = <T>({ ownerId, groupId }: Omit<Shown<T>, 'value'>, value: T): Shown<T> => ({ value, ownerId, groupId });

/** None where the row has none. */
function toShare({ shareId, subject, createdAt, expiresAt }: ShareRow): Share[] {
  if (shareId === null || subject === null || createdAt === null) return [];
  return [{ shareId, subject: readSubject(subject), createdAt, expiresAt }];
}

/** Undefined: there is no such thing of the owner. Of one thing only one share is made at a time: the bound is exact. */
function createShare(database: Database, share: NewShare, sharesMax: number): Promise<Share | 'full' | undefined> {
  type Outcome = Share | 'full' | undefined;
  const load = [lockShared(share), countShares(share)] as const;
  return database.change(load, (_, [found]): Decision<Outcome> => {
    if (found === undefined) return { save: [], result: undefined };
    if (found.count >= sharesMax) return { save: [], result: 'full' };
    const toAnswer = ([inserted]: readonly unknown[][]) => {
      const [kept] = (inserted ?? []) as ShareRow[];
      const [made] = kept === undefined ? [] : toShare(kept);
      if (made === undefined) throw new Error(`share ${share.shareId} was not kept`);
      return made;
    };
    return { save: [insertShare(share, found.key)], result: toAnswer };
  });
}
