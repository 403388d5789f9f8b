import type { OutputWarning } from '@tally/merge';
import { type Sql, sql } from '@tally/service-kit';
import type { PageKey } from '../../domain/page/page.js';
import { type EstimatorPageHeader, sizesOf } from '../../domain/page/page.js';
import type { PagesChange } from '../../domain/page/page-agreement.js';
import type { NewTaskOutput } from '../../domain/ports.js';
import type { NewContent } from './blobs.js';

/** A set of pages that outputs of a job have. */
export interface PageSetRow {
  readonly set_hash: string;
  readonly estimator_indexes: number[];
  readonly page_numbers: number[];
  readonly page_bytes: bigint[];
}

const selectPageSets = (jobId: string) => sql<PageSetRow>`
  SELECT encode(set_hash, 'hex') AS set_hash, estimator_indexes, page_numbers, page_bytes
  FROM page_sets WHERE job_id = ${jobId}`;

/**
 * What is stored of the pages of a job. Locked are the job, so that no other output decides at the same time, and its page
 * sets, so that no output comes to refer to one that goes.
 */
export function loadPages(jobId: string, taskId: number) {
  return [
    sql<{ found: number }>`SELECT 1 AS found FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
    sql<PageSetRow>`${selectPageSets(jobId)} FOR UPDATE`,
    sql<{ estimator_index: number; page_number: number; estimator_name: string; header_hash: string }>`
      SELECT estimator_index, page_number, estimator_name, encode(header_hash, 'hex') AS header_hash
      FROM job_page_headers WHERE job_id = ${jobId}`,
    sql<{ is_own: boolean; set_hash: string; page_bytes: bigint[] | null }>`
      SELECT task_id = ${taskId} AS is_own, encode(set_hash, 'hex') AS set_hash, page_bytes FROM task_outputs
      WHERE job_id = ${jobId} GROUP BY is_own, set_hash, page_bytes`,
  ] as const;
}
/** Pages that no output has any more. */
export function dropPages(jobId: string, { stalePages }: PagesChange): Sql[] {
  if (stalePages.length === 0) return [];
  return [
    sql`DELETE FROM job_page_headers WHERE job_id = ${jobId} AND (estimator_index, page_number) IN (
      SELECT * FROM unnest(${stalePages.map((page) => page.estimatorIndex)}::int[],
        ${stalePages.map((page) => page.pageNumber)}::int[]))`,
  ];
}

/** Pages and page set that the job does not have yet, as queries of a statement. */
export function insertPages({ header: { jobId }, pageSet }: NewTaskOutput, { isNewSet, newPages }: PagesChange): Sql[] {
  const { hash, pages, pageBytes } = pageSet;
  const rows = newPages.map(({ headerHash, ...header }) => ({
    estimator_index: header.estimatorIndex,
    estimator_name: header.estimatorName,
    page_number: header.pageNumber,
    page_name: header.pageName,
    sizes: sizesOf({ kind: header.kind, axes: header.axes }), // of a list without its records: each task has its own
    header_hash: `\\x${headerHash}`,
    header: { ...header, recordCount: undefined },
  }));
  const headers = sql`new_header AS (
    INSERT INTO job_page_headers (job_id, estimator_index, estimator_name, page_number, page_name, sizes, header_hash, header)
    SELECT ${jobId}, estimator_index, estimator_name, page_number, page_name, sizes, header_hash, header
    FROM json_to_recordset(${JSON.stringify(rows)}) AS page (estimator_index int, estimator_name text, page_number int,
      page_name text, sizes int[], header_hash bytea, header json))`;
  const set = sql`new_set AS (
    INSERT INTO page_sets (job_id, set_hash, estimator_indexes, page_numbers, page_bytes)
    VALUES (${jobId}, decode(${hash}, 'hex'), ${pages.map((page) => page.estimatorIndex)},
      ${pages.map((page) => page.pageNumber)}, ${pageBytes}))`;
  return [...(rows.length > 0 ? [headers] : []), ...(isNewSet ? [set] : [])];
}

/** The task's earlier output, with its blob. */
export function dropOwn({ header: { jobId, taskId } }: NewTaskOutput): Sql[] {
  return [
    sql`DELETE FROM blobs USING task_outputs AS replaced
      WHERE replaced.job_id = ${jobId} AND task_id = ${taskId} AND blobs.blob_id = replaced.blob_id`,
    sql`DELETE FROM task_outputs WHERE job_id = ${jobId} AND task_id = ${taskId}`,
  ];
}

/** The row of an output. @param queries - that are carried out with it */
export function saveRow(output: NewTaskOutput, content: NewContent, queries: readonly Sql[]): Sql {
  const { jobId, taskId, attemptId, primaries, batches, engine, counters, warnings } = output.header;
  const before = queries.reduce((list, query, i) => sql`${list}${i === 0 ? sql`WITH ` : sql`, `}${query}`, sql``);
  return sql`
    ${before}
    INSERT INTO task_outputs (job_id, task_id, attempt_id, primaries, batches, engine, counters, warnings, set_hash,
      page_bytes, has_remainders, content, blob_id)
    VALUES (${jobId}, ${taskId}, ${attemptId}, ${primaries}, ${batches}, ${engine}, ${JSON.stringify(counters)},
      ${JSON.stringify(warnings)}, decode(${output.pageSet.hash}, 'hex'), ${output.pageBytes ?? null}, ${output.hasRemainders ?? false}, ${content.content},
      ${content.blobId})`;
}

/** Page sets that no output has any more: after its own output has gone, which refers to one. */
export function dropStale(jobId: string, { staleSets }: PagesChange): Sql[] {
  if (staleSets.length === 0) return [];
  return [sql`DELETE FROM page_sets WHERE job_id = ${jobId} AND encode(set_hash, 'hex') = ANY(${staleSets})`];
}

/** An output without its bytes, unless they are few. */
export interface OutputRow {
  readonly output_id: bigint;
  readonly task_id: number;
  readonly primaries: bigint;
  readonly batches: number;
  readonly engine: string;
  readonly warnings: OutputWarning[];
  readonly set_hash: string;
  readonly page_bytes: bigint[] | null;
  readonly has_remainders: boolean;
  readonly blob_id: bigint | null;
  /** Null: it is read apart. */
  readonly content: Buffer | null;
}

/**
 * Contents of outputs of a job, bytes, and so many headers come with their rows: a small job is merged by one reading. What is larger
 * takes less as COPY, which sends bytes as they are, but is planned anew each time.
 */
const WITH_ROW = { contentBytesMax: 256 * 1024, headerCountMax: 64, headerBytesMax: 4 * 1024 };

/** Of each of so many outputs; 0: of none. */
const contentBytesMax = (count: number) => (count === 0 ? 0 : Math.floor(WITH_ROW.contentBytesMax / count));

/** Outputs of a job in ascending task number, and their page sets; no ids: all. */
export const selectOutputs = (jobId: string, taskIds: readonly number[]) =>
  [
    selectPageSets(jobId),
    sql<OutputRow>`
      SELECT output_id, task_id, primaries, batches, engine, warnings, encode(set_hash, 'hex') AS set_hash, page_bytes, has_remainders,
        blob_id, CASE WHEN length(content) <= ${contentBytesMax(taskIds.length)} THEN content END AS content
      FROM task_outputs WHERE job_id = ${jobId} AND (${taskIds.length === 0} OR task_id = ANY(${[...taskIds]}::int[]))
      ORDER BY task_id`,
  ] as const;

/** Pages of a job in order of estimator and page number. */
export const selectPages = (jobId: string) => sql<{
  estimator_index: number;
  estimator_name: string;
  page_number: number;
  page_name: string;
  sizes: number[];
  header: EstimatorPageHeader | null;
}>`
  SELECT estimator_index, estimator_name, page_number, page_name, sizes,
    CASE WHEN count(*) OVER () <= ${WITH_ROW.headerCountMax} AND pg_column_size(header) <= ${WITH_ROW.headerBytesMax} THEN header END AS header
  FROM job_page_headers WHERE job_id = ${jobId} ORDER BY estimator_index, page_number`;

/** What these pages of a job are, in their order. */
export const listPageHeaders = (jobId: string, pages: readonly PageKey[]) => sql<{
  readonly header: EstimatorPageHeader;
}>`
  SELECT header FROM job_page_headers
  WHERE job_id = ${jobId} AND (estimator_index, page_number) IN (
    SELECT * FROM unnest(${pages.map((page) => page.estimatorIndex)}::int[], ${pages.map((page) => page.pageNumber)}::int[]))
  ORDER BY estimator_index, page_number`;
