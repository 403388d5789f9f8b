import { type Sql, sql } from '@tally/service-kit';
import type { JobId, UserId } from '../../../domain/job.js';
import { KEEP_TAG, type Retention, type RetentionRule } from '../../../domain/retention/retention.js';
import type { Removal, RemovalQuery, RemovalSum, Removed, Warning } from '../../../domain/retention/retention-ports.js';

type Rules = Omit<Retention, 'setAt'>;

const HELD = sql`SELECT data, state, after_days, warning_days, set_at FROM retention_rules`;

/** Rules as rows that are not stored, set at this moment. */
const proposed = ({ rules, warningDays }: Rules): Sql => sql`
  SELECT data, state, after_days, ${warningDays}::int AS warning_days, now() AS set_at
  FROM unnest(${rules.map(({ data }) => data)}::text[], ${rules.map(({ state }) => state)}::text[],
    ${rules.map(({ afterDays }) => afterDays)}::int[]) AS wanted (data, state, after_days)`;

export const listRules = (): Sql<RetentionRule & { readonly warningDays: number; readonly setAt: Date }> => sql`
  SELECT data, state, after_days AS "afterDays", warning_days AS "warningDays", set_at AS "setAt"
  FROM (${HELD}) held ORDER BY array_position(ARRAY['jobs', 'results', 'logs'], data), state`;

/** In place of the earlier ones, from now on. */
export const replaceRules = (rules: Rules): readonly Sql[] => [
  sql`DELETE FROM retention_rules`,
  sql`INSERT INTO retention_rules (data, state, after_days, warning_days, set_at)
    SELECT data, state, after_days, warning_days, set_at FROM (${proposed(rules)}) proposed`,
  sql`DELETE FROM retention_warnings`,
];

/** Only one sets rules at a time. */
export const lockRules = (): Sql => sql`SELECT pg_advisory_xact_lock(hashtextextended('retention', 0))`;

/** The same of a row of jobs as `isKept` of its labels. */
export const isKeptRow = (job: Sql): Sql => sql`(${job}.is_favourite OR ${KEEP_TAG} = ANY(${job}.tags))`;

const days = (count: Sql): Sql => sql`${count} * interval '1 day'`;

/**
 * What rules remove until a moment: jobs that have ended so long ago, by the index of their ends. A rule for a state stands in place of
 * the one for any. What goes with its job is not removed apart.
 */
function removals({ retention, withinDays = 0, ownerId, jobId }: Omit<RemovalQuery, 'limit'>): Sql {
  const only = [
    ...(ownerId === undefined ? [] : [sql`AND job.owner_id = ${ownerId}`]),
    ...(jobId === undefined ? [] : [sql`AND job.job_id = ${jobId}`]),
  ].reduce((all, one) => sql`${all} ${one}`, sql``);
  const rules = retention === undefined ? HELD : proposed(retention);
  return sql`
    SELECT * FROM (
      SELECT dated.*, min(due_at) FILTER (WHERE data = 'jobs') OVER (PARTITION BY job_key) AS goes_at FROM (
        SELECT job.id AS job_key, job.job_id, job.owner_id, job.title, job.state, rule.data, rule.state AS rule_state,
          rule.after_days, rule.set_at, greatest(job.closed_at + ${days(sql`rule.after_days`)},
            rule.set_at + ${days(sql`rule.warning_days`)}, job.released_at + ${days(sql`rule.warning_days`)}) AS due_at
        FROM (${rules}) rule CROSS JOIN LATERAL (
          SELECT * FROM jobs job WHERE job.closed_at <= now() + ${days(sql`${withinDays}::int`)} - ${days(sql`rule.after_days`)}
            AND NOT ${isKeptRow(sql`job`)} ${only} OFFSET 0) job
        WHERE (rule.state = job.state OR rule.state = 'any' AND NOT EXISTS (
            SELECT 1 FROM (${rules}) other
            WHERE other.data = rule.data AND other.state = job.state))
          AND (rule.data <> 'results' OR job.results_removed_at IS NULL)
          AND (rule.data <> 'logs' OR job.logs_removed_at IS NULL)) dated) all_removals
    WHERE due_at <= now() + ${days(sql`${withinDays}::int`)} AND (data = 'jobs' OR goes_at IS NULL OR due_at < goes_at)`;
}

export const listRemovals = ({ limit, ...query }: RemovalQuery): Sql<Removal> => sql<Removal>`
  SELECT job_id AS "jobId", owner_id AS "ownerId", title, state, data, after_days AS "afterDays", due_at AS "dueAt"
  FROM (${removals(query)}) removal ORDER BY due_at, job_key, data LIMIT ${limit}`;

export const sumRemovals = (query: Omit<RemovalQuery, 'limit'>): Sql<RemovalSum> => sql<RemovalSum>`
  SELECT data, rule_state AS state, after_days AS "afterDays", count(*)::int AS "jobCount",
    count(DISTINCT owner_id)::int AS "ownerCount", min(due_at) AS "firstDueAt"
  FROM (${removals(query)}) removal GROUP BY data, rule_state, after_days`;

export const findRemoved = (jobId: JobId, ownerId: UserId): Sql<Removed> => sql<Removed>`
  SELECT results_removed_at AS "resultsAt", logs_removed_at AS "logsAt" FROM jobs
  WHERE job_id = ${jobId} AND owner_id = ${ownerId}`;

/** One row: they were. */
export const findLostResults = (jobId: JobId): Sql => sql`
  SELECT 1 FROM jobs WHERE job_id = ${jobId} AND results_removed_at IS NOT NULL`;

/** A job that has ended, until the end of the transaction. */
export const lockEnded = (jobId: JobId): Sql<{ readonly jobKey: bigint }> => sql<{ readonly jobKey: bigint }>`
  SELECT id AS "jobKey" FROM jobs WHERE job_id = ${jobId} AND closed_at IS NOT NULL FOR NO KEY UPDATE`;

/** One row: a rule says that this goes now. */
export const findDue = (jobId: JobId, data: string): Sql => sql`
  SELECT 1 FROM (${removals({ jobId })}) removal WHERE data = ${data}`;

/** Notes that a part of a job is removed. A job without results has simulated nothing that could be added to. */
export const notePartRemoved = (jobKey: bigint, data: 'results' | 'logs'): Sql =>
  data === 'logs'
    ? sql`UPDATE jobs SET logs_removed_at = now() WHERE id = ${jobKey}`
    : sql`UPDATE jobs SET results_removed_at = now(), merged_primaries = NULL WHERE id = ${jobKey}`;

/** The duty to remove it in results. */
export const addPartDuty = (id: string, jobId: JobId, data: 'results' | 'logs'): Sql => sql`
  INSERT INTO duties (id, kind, job_id) VALUES (${id}, ${`remove_${data}`}, ${jobId}) ON CONFLICT (job_id, kind) DO NOTHING`;

/** Days that a warning covers beside the time of warning, so that nobody gets more than one a week. */
const COVERED_DAYS = 7;

/** Users of whom something goes within the time of warning that was not told, with all that goes until a week later. */
export const listUnwarned = (limit: number, warningDays: number): Sql<Warning> => sql<Warning>`
  SELECT removal.owner_id AS "ownerId", count(DISTINCT job_key)::int AS "jobCount", min(due_at) AS "firstDueAt",
    now() + ${days(sql`${warningDays + COVERED_DAYS}::int`)} AS "warnedUntil", max(set_at) AS "setAt"
  FROM (${removals({ withinDays: warningDays + COVERED_DAYS })}) removal
  LEFT JOIN retention_warnings told ON told.owner_id = removal.owner_id
  WHERE told.warned_until IS NULL OR due_at > told.warned_until
  GROUP BY removal.owner_id HAVING min(due_at) <= now() + ${days(sql`${warningDays}::int`)}
  ORDER BY removal.owner_id LIMIT ${limit}`;

export const noteWarning = (ownerId: UserId, warnedUntil: Date): Sql => sql`
  INSERT INTO retention_warnings (owner_id, warned_until) VALUES (${ownerId}, ${warnedUntil}::timestamptz)
  ON CONFLICT (owner_id) DO UPDATE SET warned_until = EXCLUDED.warned_until`;
