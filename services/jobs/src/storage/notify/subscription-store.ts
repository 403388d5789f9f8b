import type { NoticeStore } from '../../domain/notify/notify-end.js';
import type { SubscriptionScope, SubscriptionStore } from '../../domain/notify/subscription.js';
import type { Database } from '../database.js';
import { deleteOrphans, findSweepJobs, findToldJob, putSubscription } from '../statements/notify/subscriptions.js';

export function createSubscriptionStore(database: Database): SubscriptionStore {
  const { client } = database;
  return {
    put: async (userId, key, subscription, perUserMax) => {
      const row = await database.row(putSubscription(userId, key, subscription, perUserMax));
      if (row?.isOwn !== true) return 'missing';
      return row.isKept ? 'kept' : 'full';
    },
    remove: async (userId, key) => {
      await client.subscription.deleteMany({ where: { userId, key } });
    },
    list: async (userId, rowsMax) => {
      const rows = await client.subscription.findMany({
        where: { userId },
        select: { scope: true, target: true, hasMail: true, hasWebhooks: true },
        orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
        take: rowsMax,
      });
      return rows.map((row) => ({ ...row, scope: row.scope as SubscriptionScope }));
    },
    forgetOrphans: async () => {
      await database.run(deleteOrphans());
    },
  };
}

export function createNoticeStore(database: Database): NoticeStore {
  return {
    findJob: async (jobId) => {
      const row = await database.row(findToldJob(jobId));
      if (row === undefined) return undefined;
      const { sweep, groupId, watchers, ...job } = row;
      return { job, sweep, groupId, watchers: (watchers ?? []).map((one) => ({ ...one, userId: BigInt(one.userId) })) };
    },
    findSweep: async (ownerId, sweepId) => {
      const rows = await database.rows(findSweepJobs(ownerId, sweepId));
      return { jobs: rows, size: Math.max(0, ...rows.map(({ size }) => size)) };
    },
  };
}
