import type { OutputWarning } from '@tally/merge';
import { type Sql, sql } from '@tally/service-kit';
import type { FinalPage, ResultsHeader } from '../../domain/result/result.js';
import { insertBlob, type NewContent } from './blobs.js';
import type { JobRow } from './inputs.js';

/** Longer contents are read apart from their rows: rows bring bytes as text. */
const CONTENT_WITH_ROW_BYTES_MAX = 64 * 1024;

/** A job without results of its own. */
interface NoResultRow {
  readonly result_id: null;
}
/** Results of a job. */
export interface ResultRow {
  readonly result_id: bigint;
  readonly primaries: bigint;
  readonly task_count: number;
  readonly is_partial: boolean;
  readonly engine: string;
  readonly warnings: OutputWarning[];
  readonly version: string;
  readonly pages: FinalPage[];
  /** Null: it is read apart. */
  readonly content: Buffer | null;
  readonly blob_id: bigint | null;
}

/**
 * Results in place of earlier ones, but for those of a later merge; the last statement gives a row if they are stored. In their
 * order these statements wait for another put of the same job.
 */
export function replaceResults(
  header: ResultsHeader,
  pages: readonly FinalPage[],
  version: string,
  place: NewContent,
): Sql[] {
  const { jobId, mergeNumber } = header;
  const isEarlier = mergeNumber === undefined ? sql`true` : sql`replaced.merge_number <= ${mergeNumber}`;
  return [
    sql`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
    sql`
      WITH gone AS (DELETE FROM final_results AS replaced WHERE job_id = ${jobId} AND ${isEarlier} RETURNING blob_id)
      DELETE FROM blobs USING gone WHERE blobs.blob_id = gone.blob_id`,
    ...insertBlob(place, jobId),
    insertResults(header, pages, version, place),
  ];
}

/** Results of a job that has none yet; gives a row if they are stored. */
export function insertResults(
  header: ResultsHeader,
  pages: readonly FinalPage[],
  version: string,
  place: NewContent,
): Sql {
  const { jobId, primaries, taskCount, isPartial, engine, warnings, mergeNumber } = header;
  return sql`
    INSERT INTO final_results (job_id, primaries, task_count, is_partial, engine, warnings, version, pages, content, blob_id,
      merge_number)
    SELECT job_id, ${primaries}, ${taskCount}, ${isPartial}, ${engine}, ${JSON.stringify(warnings)}::jsonb, ${version},
      ${JSON.stringify(pages)}::json, ${place.content}, ${place.blobId}, ${mergeNumber ?? 0}
    FROM jobs WHERE job_id = ${jobId} FOR KEY SHARE
    ON CONFLICT (job_id) DO NOTHING
    RETURNING 1`;
}

/** A job with its results, if it has any. */
export const openResults = (jobId: string) => sql<JobRow & (ResultRow | NoResultRow)>`
  SELECT owner_id, input_kind, notes, result_id, primaries, task_count, is_partial, engine, warnings, version, pages,
    CASE WHEN length(final.content) <= ${CONTENT_WITH_ROW_BYTES_MAX} THEN final.content END AS content, final.blob_id
  FROM jobs LEFT JOIN final_results AS final USING (job_id) WHERE job_id = ${jobId}`;
