import { runIn, type Statements } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { Change, SubmissionStore } from '../domain/ports.js';
import type { StoredSubmission, SubmissionIn } from '../domain/submission.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { announce } from './change-listener.js';
import { LEASE_COLUMNS, toLease } from './cluster-store.js';
import { addLogLine, listDueUsers, listUsersToObserve, lockJob, lockSubmission } from './statements/submissions.js';
import {
  SUBMISSION,
  toJobSpec,
  toSchedulerJobRow,
  toStored,
  toSubmission,
  toSubmissionData,
} from './submission-row.js';

/** The log keeps its end; what is longer is no longer read. Characters. */
const LOG_CHARACTERS_MAX = 16_000;
/** Submissions that are processed in one round; the others are due in the next. */
const DUE_COUNT_MAX = 500;

type Transaction = Prisma.TransactionClient;

const schedulerJobsOf = (stored: StoredSubmission) =>
  typeof stored === 'object' && stored.phase.kind !== 'accepted' ? stored.phase.remoteJob?.schedulerJobs : undefined;

/** Stores what was decided, and announces it. */
async function save(
  transaction: Transaction,
  jobId: JobId,
  stored: StoredSubmission,
  { save: saved, spec, wakesWorker = false }: Change<unknown>,
): Promise<void> {
  if (saved === undefined) return;
  if (!('phase' in saved)) {
    const { desired, revokedAt } = saved;
    const row = { jobId, phase: 'cleared', desired, acceptedAt: revokedAt, clearedAt: revokedAt };
    await transaction.submission.createMany({ data: row });
    await runIn(transaction, announce(jobId, undefined));
    return;
  }
  const { userId, clusterName, options } = saved;
  const data = toSubmissionData(saved, spec);
  const request = { jobId, userId, clusterName, options: { ...options } };
  await transaction.submission.upsert({
    where: { jobId },
    create: { ...request, ...data },
    update: { userId, ...data },
  });
  const schedulerJobs = schedulerJobsOf(saved);
  if (schedulerJobs !== undefined && schedulerJobs !== schedulerJobsOf(stored)) {
    await transaction.schedulerJob.deleteMany({ where: { jobId } });
    await transaction.schedulerJob.createMany({ data: schedulerJobs.map((job) => toSchedulerJobRow(jobId, job)) });
  }
  await runIn(transaction, announce(jobId, wakesWorker ? clusterName : undefined));
}

/** Submissions in PostgreSQL. */
export function createSubmissionStore(client: PrismaClient, database: Statements): SubmissionStore {
  return {
    change: (jobId, decide) =>
      client.$transaction(async (transaction) => {
        await runIn(transaction, lockJob(jobId));
        await runIn(transaction, lockSubmission(jobId));
        const row = await transaction.submission.findUnique({ where: { jobId }, ...SUBMISSION });
        const name = row?.clusterName ?? undefined;
        const cluster = name === undefined ? null : await findLease(transaction, name);
        const stored = toStored(row);
        const change = decide(stored, toLease(cluster));
        await save(transaction, jobId, stored, change);
        return change.result;
      }),

    find: async (jobId) => toStored(await client.submission.findUnique({ where: { jobId }, ...SUBMISSION })),

    findSpec: async (jobId) => {
      const row = await client.submission.findUnique({ where: { jobId }, select: { jobSpec: true } });
      return row?.jobSpec ? toJobSpec(row.jobSpec) : undefined;
    },

    listDueUsers: async (clusterName, now) =>
      (await database.rows(listDueUsers(clusterName, now))).map(({ userId }) => userId),

    listDue: async (clusterName, userId, now) => {
      const rows = await client.submission.findMany({
        where: { clusterName, userId, dueAt: { lte: now } },
        orderBy: [{ dueAt: 'asc' }, { jobId: 'asc' }],
        take: DUE_COUNT_MAX,
        ...SUBMISSION,
      });
      return rows.map(toSubmission);
    },

    listUsersToObserve: async (clusterName, observedBefore) =>
      (await database.rows(listUsersToObserve(clusterName, observedBefore))).map(({ userId }) => userId),

    listSubmitted: async (clusterName, userId) => {
      const rows = await client.submission.findMany({
        where: { clusterName, userId, phase: 'submitted' },
        orderBy: [{ acceptedAt: 'asc' }, { jobId: 'asc' }],
        ...SUBMISSION,
      });
      return rows.map(toSubmission) as SubmissionIn<'submitted'>[];
    },

    setObserved: async (jobIds, observedAt) => {
      await client.submission.updateMany({ where: { jobId: { in: [...jobIds] } }, data: { observedAt } });
    },

    addLogLine: async (jobId, line) => (await database.row(addLogLine(jobId, line, LOG_CHARACTERS_MAX)))?.log ?? '',

    deleteCleared: async (before) => {
      const { count } = await client.submission.deleteMany({ where: { phase: 'cleared', clearedAt: { lte: before } } });
      return count;
    },
  };
}

const findLease = (transaction: Transaction, name: string) =>
  transaction.cluster.findUnique({ where: { name }, select: LEASE_COLUMNS });
