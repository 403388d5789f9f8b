import { type Sql, sql } from '@tally/service-kit';
import type { InputHeader, InputKind, InputNotes } from '../../domain/input/input.js';
import type { JobBytes, OwnerBytes, StoredDocument } from '../../domain/ports.js';
import type { NewContent } from './blobs.js';
import { abandonGroups } from './objects.js';

/** Columns of a job that tell who owns it, what it is, and what is to be said of it. */
export interface JobRow {
  readonly owner_id: bigint;
  readonly input_kind: InputKind;
  /** Null: nothing is to be said. */
  readonly notes: InputNotes | null;
}

/** A job with its input. */
export interface InputRow extends JobRow {
  readonly documents: StoredDocument[];
  readonly content: Buffer | null;
  readonly blob_id: bigint | null;
  readonly content_bytes: bigint;
}

/** One row: there is the job. */
export const findJobId = (jobId: string): Sql<unknown> => sql`SELECT 1 FROM jobs WHERE job_id = ${jobId}`;

/** A job without its input. */
export const findJob = (jobId: string) => sql<JobRow>`
  SELECT owner_id, input_kind, notes FROM jobs WHERE job_id = ${jobId}`;

/** A job with its input. */
export const openInput = (jobId: string) => sql<InputRow>`
  SELECT owner_id, input_kind, notes, documents, content, blob_id, content_bytes FROM jobs WHERE job_id = ${jobId}`;

/** Everything of a job. */
export const deleteJob = (jobId: string): Sql => sql`DELETE FROM jobs WHERE job_id = ${jobId}`;

/** Of a row of `blobs`: it is a job's, and not of its input. */
const isOfResults = (jobId: string): Sql => sql`
  job_id = ${jobId} AND blob_id IS DISTINCT FROM (SELECT blob_id FROM jobs WHERE job_id = ${jobId})`;

/** Results and outputs of a job, with what describes them. Objects of theirs are swept by the next round. */
export const deleteResults = (jobId: string): readonly Sql[] => [
  sql`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
  abandonGroups(isOfResults(jobId)),
  sql`DELETE FROM blobs WHERE ${isOfResults(jobId)}`,
  ...[sql`final_results`, sql`task_outputs`, sql`page_sets`, sql`job_page_headers`].map(
    (table) => sql`DELETE FROM ${table} WHERE job_id = ${jobId}`,
  ),
];

/** Logs of a job. */
export const deleteLogs = (jobId: string): Sql => sql`DELETE FROM task_logs WHERE job_id = ${jobId}`;

/** What is stored of jobs. Reads no content. */
export const listBytes = (jobIds: readonly string[]): Sql<JobBytes> => sql<JobBytes>`
  SELECT jobs.job_id AS "jobId", jobs.content_bytes AS "inputBytes", (
      SELECT coalesce(sum(bytes), 0)::bigint FROM (
        SELECT length(content) AS bytes FROM task_outputs WHERE job_id = jobs.job_id
        UNION ALL SELECT length(content) FROM final_results WHERE job_id = jobs.job_id
        UNION ALL SELECT size_bytes FROM blobs WHERE job_id = jobs.job_id AND blob_id IS DISTINCT FROM jobs.blob_id) part
    ) AS "resultsBytes", (
      SELECT coalesce(sum(bytes), 0)::bigint FROM (
        SELECT length(tail) AS bytes FROM task_logs WHERE job_id = jobs.job_id
        UNION ALL SELECT length(content) FROM log_chunks WHERE job_id = jobs.job_id) part
    ) AS "logsBytes"
  FROM jobs WHERE job_id = ANY(${[...jobIds]}::text[])`;

/** Gives those of the jobs that are a user's to another. */
export const updateOwner = (jobIds: readonly string[], ownerId: bigint, newOwnerId: bigint): Sql => sql`
  UPDATE jobs SET owner_id = ${newOwnerId} WHERE job_id = ANY(${[...jobIds]}::text[]) AND owner_id = ${ownerId}`;

/** Waits for a create of the same job that is under way: one of the two does it. */
export function insertJob(
  { jobId, ownerId, kind, ...notes }: InputHeader,
  documents: readonly StoredDocument[],
  { content, blobId, sizeBytes }: NewContent,
) {
  return sql`
    INSERT INTO jobs (job_id, owner_id, input_kind, notes, documents, content, blob_id, content_bytes)
    VALUES (${jobId}, ${ownerId}, ${kind}, ${notesText(notes)}, ${JSON.stringify(documents)}, ${content},
      ${blobId}, ${sizeBytes})
    ON CONFLICT (job_id) DO NOTHING`;
}

/** Null: nothing is to be said. */
function notesText({ warnings, simulatorDeckNote, description }: InputNotes): string | null {
  const isSilent = warnings.length === 0 && simulatorDeckNote === undefined && description === undefined;
  return isSilent ? null : JSON.stringify({ warnings, simulatorDeckNote, description });
}

/** Rows of bytes with their jobs, of everything that jobs have. Reads no content: PostgreSQL knows the length of one that lies outside its row. */
const storedParts = (isWanted: Sql): Sql => sql`
  SELECT job_id, length(content) AS bytes FROM jobs WHERE ${isWanted}
  UNION ALL SELECT job_id, length(content) FROM task_outputs WHERE ${isWanted}
  UNION ALL SELECT job_id, length(content) FROM final_results WHERE ${isWanted}
  UNION ALL SELECT job_id, length(tail) FROM task_logs WHERE ${isWanted}
  UNION ALL SELECT job_id, length(content) FROM log_chunks WHERE ${isWanted}
  UNION ALL SELECT job_id, size_bytes FROM blobs WHERE ${isWanted}`;

/** Bytes of everything that the jobs of a user have. */
export const sumStoredBytes = (ownerId: bigint): Sql<{ readonly bytes: number }> => sql`
  SELECT coalesce(sum(bytes), 0)::float8 AS bytes
  FROM (${storedParts(sql`job_id IN (SELECT job_id FROM jobs WHERE owner_id = ${ownerId})`)}) AS part`;

/** The same of each user who has jobs. */
export const listOwnerBytes = (): Sql<OwnerBytes> => sql`
  SELECT owner_id AS "ownerId", sum(bytes)::bigint AS "storedBytes"
  FROM (SELECT job_id, sum(bytes) AS bytes FROM (${storedParts(sql`true`)}) part GROUP BY job_id) of_job JOIN jobs USING (job_id)
  GROUP BY owner_id`;
