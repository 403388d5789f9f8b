import { type Sql, sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { PageKey } from '../domain/page/page.js';
import type { ReadableFinalPage, ResultStore } from '../domain/ports.js';
import { type FinalPage, finalPagePlaces, type ResultsHeader } from '../domain/result/result.js';
import {
  blobStatements,
  type ContentPlace,
  type NewContent,
  readContent,
  requireJob,
  storeContent,
} from './content-store.js';
import type { Database } from './database.js';
import { deleteGzippedResults, openGzippedResults, type ResultHeaderRow, readHeader } from './gzipped-results.js';
import { type JobRow, readJob } from './input-store.js';

/** Longer contents are read apart from their rows: rows bring bytes as text. */
const CONTENT_WITH_ROW_BYTES_MAX = 64 * 1024;

/** A job without results of its own. */
interface NoResultRow {
  readonly result_id: null;
}
interface ResultRow extends ResultHeaderRow {
  readonly result_id: bigint;
  readonly pages: FinalPage[];
  /** Null: it is read apart. */
  readonly content: Buffer | null;
  readonly blob_id: bigint | null;
}

/** Results in place of earlier ones: in their order these statements wait for another put of the same job. */
function replaceResults(header: ResultsHeader, pages: readonly FinalPage[], version: string, place: NewContent): Sql[] {
  const { jobId, primaries, taskCount, isPartial, engine, warnings } = header;
  return [
    sql`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
    sql`DELETE FROM blobs USING final_results AS replaced
      WHERE replaced.job_id = ${jobId} AND blobs.blob_id = replaced.blob_id`,
    sql`DELETE FROM final_results WHERE job_id = ${jobId}`,
    deleteGzippedResults(jobId),
    ...blobStatements(place, jobId),
    sql`
      INSERT INTO final_results (job_id, primaries, task_count, is_partial, engine, warnings, version, pages, content, blob_id)
      SELECT job_id, ${primaries}, ${taskCount}, ${isPartial}, ${engine}, ${JSON.stringify(warnings)}::jsonb, ${version},
        ${JSON.stringify(pages)}::json, ${place.content}, ${place.blobId}
      FROM jobs WHERE job_id = ${jobId} RETURNING 1`,
  ];
}

const byPlace = (a: PageKey, b: PageKey) => a.estimatorIndex - b.estimatorIndex || a.pageNumber - b.pageNumber;

/** Pages lie in the order in which they came, and are shown in that of the project. */
function readablePages(
  db: Database,
  { pages, content, blob_id: blobId, result_id: rowId }: ResultRow,
): ReadableFinalPage[] {
  const place: ContentPlace = blobId === null ? { table: 'final_results', rowId } : { blobId };
  let end = 0;
  const readable = pages.map((page): ReadableFinalPage => {
    const from = end;
    end += finalPagePlaces(page).end;
    const to = end;
    const read = content === null ? () => readContent(db, { place, from, to }) : () => only(content.subarray(from, to));
    return { page, read };
  });
  return readable.toSorted((a, b) => byPlace(a.page, b.page));
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Final results in PostgreSQL. */
export function createResultStore(db: Database, { rowBytesMax }: { readonly rowBytesMax: number }): ResultStore {
  return {
    async put(header, maker) {
      await storeContent(db, maker, rowBytesMax, {
        begin: (transaction) => requireJob(transaction, header.jobId),
        small: (place, { pages, version }) =>
          db.change([], () => ({
            save: replaceResults(header, pages, version, place),
            result: (saved) => {
              if (saved.at(-1)?.length === 0) throw fail('JOB_NOT_FOUND');
            },
          })),
        large: async (transaction, place, { pages, version }) => {
          let stored = 0;
          for (const statement of replaceResults(header, pages, version, place)) {
            stored = await transaction.run(statement);
          }
          if (stored === 0) throw fail('JOB_NOT_FOUND');
        },
      });
    },
    async open(jobId) {
      const row = await db.row(sql<JobRow & (ResultRow | NoResultRow)>`
        SELECT owner_id, input_kind, notes, result_id, primaries, task_count, is_partial, engine, warnings, version, pages,
          CASE WHEN length(final.content) <= ${CONTENT_WITH_ROW_BYTES_MAX} THEN final.content END AS content, final.blob_id
        FROM jobs LEFT JOIN final_results AS final USING (job_id) WHERE job_id = ${jobId}`);
      if (row === undefined) return undefined;
      const job = readJob(row);
      if (row.result_id === null) return { ...job, results: await openGzippedResults(db, jobId) };
      return { ...job, results: { ...readHeader(jobId, row), pages: readablePages(db, row) } };
    },
  };
}
