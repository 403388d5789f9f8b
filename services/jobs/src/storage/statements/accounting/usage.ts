import { type Sql, sql } from '@tally/service-kit';
import type {
  MonthUsage,
  QuotaOverride,
  SubjectQuota,
  UsageQuery,
  UsageSubject,
} from '../../../domain/usage/usage-ports.js';
import { subjectIdOf } from '../../../domain/usage/usage-ports.js';

/** Entries of the ledger that are of a user or of a group. */
const isOf = (subject: UsageSubject) =>
  subject.kind === 'user' ? sql`owner_id = ${subject.userId}` : sql`group_id = ${subject.groupId}`;

/** First day of this month, UTC. */
const MONTH = sql`date_trunc('month', now() AT TIME ZONE 'UTC')`;

/** What was used on each day. */
export const usageByDay = ({ subject, fromDay, toDay }: UsageQuery): Sql<UsageRow> => sql`
  SELECT to_char(day, 'YYYY-MM-DD') AS day, owner_id AS "ownerId", cluster, sum(cpu_ms)::float8 AS "cpuMs"
  FROM usage_entries WHERE ${isOf(subject)} AND day >= ${fromDay}::date AND day <= ${toDay}::date
  GROUP BY day, owner_id, cluster ORDER BY day, owner_id, cluster`;
interface UsageRow {
  readonly day: string;
  readonly ownerId: bigint;
  readonly cluster: string;
  readonly cpuMs: number;
}

/** What each user has used in each month; both are within. Reads the ledger without an index: operators ask, and seldom. */
export const usageByMonth = (fromMonth: string, toMonth: string): Sql<MonthUsage> => sql`
  SELECT to_char(day, 'YYYY-MM') AS month, owner_id AS "ownerId", sum(cpu_ms)::float8 AS "cpuMs"
  FROM usage_entries
  WHERE day >= ${`${fromMonth}-01`}::date AND day < ${`${toMonth}-01`}::date + interval '1 month'
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** What was used since the month began, and when it ends. */
export const usageOfMonth = (
  subject: UsageSubject,
): Sql<{ readonly monthCpuMs: number; readonly monthEndsAt: Date }> => sql`
  SELECT coalesce(sum(cpu_ms), 0)::float8 AS "monthCpuMs",
    (${MONTH} + interval '1 month') AT TIME ZONE 'UTC' AS "monthEndsAt"
  FROM usage_entries WHERE ${isOf(subject)} AND day >= ${MONTH}::date`;

/** Tasks of a user that workers have, as runningOf (usage.ts) finds them, with what they have used so far. */
export const usageOfRunning = (
  ownerId: bigint,
): Sql<{ readonly runningTaskCount: number; readonly runningCpuMs: number }> => sql`
  SELECT count(*)::int AS "runningTaskCount", coalesce(sum(cpu_ms), 0)::float8 AS "runningCpuMs"
  FROM (SELECT id FROM jobs WHERE owner_id = ${ownerId} AND state = 'RUNNING' OFFSET 0) running_job
  CROSS JOIN LATERAL (
    SELECT cpu_ms FROM tasks JOIN attempts ON attempts.task_key = tasks.id
    WHERE tasks.job_key = running_job.id AND tasks.state = 'RUNNING'
      AND attempts.ended_at IS NULL AND attempts.lease_expires_at IS NOT NULL) running_task`;

export const QUOTA_COLUMNS = sql`cpu_seconds_month AS "cpuSecondsMonth", stored_bytes AS "storedBytes", running_tasks AS "runningTasks"`;

/** What is set for a user or a group; no row: nothing. */
export const findQuota = (subject: UsageSubject): Sql<QuotaOverride> => sql`
  SELECT ${QUOTA_COLUMNS} FROM quotas WHERE kind = ${subject.kind} AND subject_id = ${subjectIdOf(subject)}`;

/** All that is set. */
export const listQuotas = (): Sql<SubjectQuota> => sql`
  SELECT kind, subject_id AS "subjectId", ${QUOTA_COLUMNS} FROM quotas ORDER BY kind, subject_id`;

/** Rows of subjects: kind and id. */
const subjectRows = (subjects: readonly UsageSubject[]) => sql`
  unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(subjectIdOf)}::text[]) subject (kind, id)`;

/** In place of what was set. */
export const putQuota = (subjects: readonly UsageSubject[], quota: QuotaOverride): Sql => sql`
  INSERT INTO quotas (kind, subject_id, cpu_seconds_month, stored_bytes, running_tasks)
  SELECT kind, id, ${quota.cpuSecondsMonth}::float8, ${quota.storedBytes}::float8, ${quota.runningTasks}::int
  FROM ${subjectRows(subjects)}
  ON CONFLICT (kind, subject_id) DO UPDATE SET cpu_seconds_month = EXCLUDED.cpu_seconds_month,
    stored_bytes = EXCLUDED.stored_bytes, running_tasks = EXCLUDED.running_tasks`;

/** Nothing is set any more. */
export const deleteQuota = (subjects: readonly UsageSubject[]): Sql => sql`
  DELETE FROM quotas USING ${subjectRows(subjects)} WHERE quotas.kind = subject.kind AND subject_id = subject.id`;

/**
 * As a column of what an owner has: quotas on processor time that bind a job of his, with what is used of them, as JSON; null: none. The
 * ledger is read only where there is one.
 * @param owners - query of one user
 * @param groups - query of the group of the job; null: none
 */
export const cpuQuotasOf = (owners: Sql, groups: Sql): Sql => sql`(
  SELECT json_agg(json_build_object('kind', kind, 'maxSeconds', most, 'usedSeconds', used / 1000,
    'resetsAt', ((${MONTH} + interval '1 month') AT TIME ZONE 'UTC')))
  FROM (
    SELECT kind, cpu_seconds_month AS most, (
      SELECT coalesce(sum(cpu_ms), 0) FROM usage_entries
      WHERE usage_entries.owner_id = owner.owner_id AND day >= ${MONTH}::date) AS used
    FROM (${owners}) owner (owner_id)
    CROSS JOIN LATERAL (SELECT * FROM quotas WHERE kind = 'user' AND subject_id = owner.owner_id::text OFFSET 0) quota
    UNION ALL
    SELECT kind, cpu_seconds_month, (
      SELECT coalesce(sum(cpu_ms), 0) FROM usage_entries
      WHERE usage_entries.group_id = of_job.group_id AND day >= ${MONTH}::date)
    FROM (${groups}) of_job (group_id)
    CROSS JOIN LATERAL (SELECT * FROM quotas WHERE kind = 'group' AND subject_id = of_job.group_id OFFSET 0) quota) bound
  WHERE most > 0)`;
