import type { OutputWarning } from '@tally/merge';
import { type Sql, sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { GzippedPage } from '../domain/ports.js';
import type { StoredResults } from '../domain/result/result.js';
import type { Database } from './database.js';

/*
 * Final results that were stored before their numbers were: each page as a gzip member of its text, in blocks of its own.
 * They are read as long as their jobs are kept; new ones are in final_results.
 */

/** What both tables of results say of them. */
export interface ResultHeaderRow {
  readonly primaries: bigint;
  readonly task_count: number;
  readonly is_partial: boolean;
  readonly engine: string;
  readonly warnings: OutputWarning[];
  readonly version: string;
}

/** Row → header. */
export function readHeader(jobId: string, row: ResultHeaderRow): StoredResults {
  const { primaries, task_count: taskCount, is_partial: isPartial, engine, warnings, version } = row;
  return { jobId, primaries: Number(primaries), taskCount, isPartial, engine, warnings, version };
}

interface PageRow {
  readonly page_id: bigint;
  readonly size_bytes: bigint;
  readonly estimator_index: number;
  readonly estimator_name: string;
  readonly page_number: number;
  readonly page_name: string;
  readonly sizes: number[];
  readonly non_finite_count: number;
}

/** Undefined: the job has none. Pages in order of estimator and page number. */
export async function openGzippedResults(
  db: Database,
  jobId: string,
): Promise<(StoredResults & { pages: GzippedPage[] }) | undefined> {
  const [[row], pages] = await db.rowsOfEach([
    sql<ResultHeaderRow>`
      SELECT primaries, task_count, is_partial, engine, warnings, version FROM results WHERE job_id = ${jobId}`,
    sql<PageRow>`
      SELECT page_id, size_bytes, estimator_index, estimator_name, page_number, page_name, sizes, non_finite_count
      FROM pages JOIN results USING (result_id) WHERE job_id = ${jobId} ORDER BY estimator_index, page_number`,
  ]);
  return row && { ...readHeader(jobId, row), pages: pages.map((page) => readPage(db, page)) };
}

/** Condition: the job has such results. */
export const hasGzippedResults = (jobId: string): Sql => sql`EXISTS (SELECT 1 FROM results WHERE job_id = ${jobId})`;

/** Goes before new results of the job. */
export function deleteGzippedResults(jobId: string): Sql {
  return sql`DELETE FROM results WHERE job_id = ${jobId}`;
}

function readPage(db: Database, row: PageRow): GzippedPage {
  return {
    summary: {
      estimatorIndex: row.estimator_index,
      estimatorName: row.estimator_name,
      pageNumber: row.page_number,
      pageName: row.page_name,
      sizes: row.sizes,
      nonFiniteCount: row.non_finite_count,
    },
    gzip: () => readMember(db, row.page_id, Number(row.size_bytes)),
  };
}

const BLOCKS_PER_STATEMENT = 4;

async function* readMember(db: Database, pageId: bigint, sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let position = 0, left = sizeBytes; left > 0; position += BLOCKS_PER_STATEMENT) {
    const rows = await db.copy`
      SELECT content FROM page_blocks
      WHERE page_id = ${pageId} AND position >= ${position} AND position < ${position + BLOCKS_PER_STATEMENT}
      ORDER BY position`;
    if (rows.length === 0) throw fail('CHANGED_WHILE_READ');
    for (const [content = Buffer.alloc(0)] of rows) {
      left -= content.byteLength;
      yield content;
    }
  }
}
