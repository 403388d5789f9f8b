import { type Sql, sql } from '@tally/service-kit';
import type { Submission } from '../../generated/prisma/client.js';

/** One change at a time for a job, also of one of which there is no row that could be locked. */
export const lockJob = (jobId: string): Sql => sql`SELECT pg_advisory_xact_lock(hashtextextended(${jobId}, 0))`;

/** Locks a submission against what changes it without {@link lockJob}: notes of the observer, and lines of the log. */
export const lockSubmission = (jobId: string): Sql =>
  sql`SELECT 1 FROM submissions WHERE job_id = ${jobId} FOR NO KEY UPDATE`;

/** Users of a cluster for whom something is due: asked every second for each cluster. */
export const listDueUsers = (clusterName: string, now: Date): Sql<{ readonly userId: bigint }> => sql<{
  readonly userId: bigint;
}>`
  SELECT DISTINCT user_id AS "userId" FROM submissions WHERE cluster_name = ${clusterName} AND due_at <= ${now}`;

/** Users of a cluster with jobs that were last observed before a moment: asked every second for each cluster. */
export const listUsersToObserve = (clusterName: string, observedBefore: Date): Sql<{ readonly userId: bigint }> => sql<{
  readonly userId: bigint;
}>`
  SELECT DISTINCT user_id AS "userId" FROM submissions
  WHERE cluster_name = ${clusterName} AND phase = 'submitted' AND observed_at <= ${observedBefore}`;

/** Adds a line to a log that keeps its last so many characters, and gives the whole. */
export const addLogLine = (jobId: string, line: string, charactersMax: number): Sql<Pick<Submission, 'log'>> => sql<
  Pick<Submission, 'log'>
>`
  UPDATE submissions SET log = right(log || ${`${line}\n`}::text, ${charactersMax}::int)
  WHERE job_id = ${jobId} RETURNING log`;
