import type { OutputWarning } from '@tally/merge';
import { type Sql, sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { RangeReader } from '../domain/page/number-page.js';
import type { PageKey } from '../domain/page/page.js';
import type { ReadableFinalPage, ResultStore } from '../domain/ports.js';
import { type FinalPage, finalPagePlaces, type ResultsHeader, type StoredResults } from '../domain/result/result.js';
import {
  blobStatements,
  type ContentPlace,
  type Contents,
  jobExists,
  type NewContent,
  readContent,
  readContents,
  storeContent,
} from './content-store.js';
import { type JobRow, readJob } from './input-store.js';

/** Longer contents are read apart from their rows: rows bring bytes as text. */
const CONTENT_WITH_ROW_BYTES_MAX = 64 * 1024;

/** A job without results of its own. */
interface NoResultRow {
  readonly result_id: null;
}
interface ResultRow {
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
function replaceResults(header: ResultsHeader, pages: readonly FinalPage[], version: string, place: NewContent): Sql[] {
  const { jobId, mergeNumber } = header;
  const isEarlier = mergeNumber === undefined ? sql`true` : sql`replaced.merge_number <= ${mergeNumber}`;
  return [
    sql`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
    sql`
      WITH gone AS (DELETE FROM final_results AS replaced WHERE job_id = ${jobId} AND ${isEarlier} RETURNING blob_id)
      DELETE FROM blobs USING gone WHERE blobs.blob_id = gone.blob_id`,
    ...blobStatements(place, jobId),
    insertResults(header, pages, version, place),
  ];
}

/** Results of a job that has none yet; gives a row if they are stored. */
function insertResults(header: ResultsHeader, pages: readonly FinalPage[], version: string, place: NewContent): Sql {
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

/** Row → header. */
function readHeader(jobId: string, row: ResultRow): StoredResults {
  const { primaries, task_count: taskCount, is_partial: isPartial, engine, warnings, version } = row;
  return { jobId, primaries: Number(primaries), taskCount, isPartial, engine, warnings, version };
}

const byPlace = (a: PageKey, b: PageKey) => a.estimatorIndex - b.estimatorIndex || a.pageNumber - b.pageNumber;

/** Pages lie in the order in which they came, and are shown in that of the project. */
function readablePages(
  contents: Contents,
  { pages, content, blob_id: blobId, result_id: rowId }: ResultRow,
): ReadableFinalPage[] {
  const place: ContentPlace = blobId === null ? { table: 'final_results', rowId } : { blobId };
  let end = 0;
  const readable = pages.map((page): ReadableFinalPage => {
    const from = end;
    end += finalPagePlaces(page).end;
    const to = end;
    if (content !== null) {
      const own = content.subarray(from, to);
      const readRanges: RangeReader = async (ranges) => ranges.map((range) => own.subarray(range.from, range.to));
      return { page, read: () => only(own), readRanges };
    }
    return {
      page,
      read: () => readContent(contents, { place, from, to }),
      readRanges: (ranges) =>
        readContents(
          contents,
          ranges.map((range) => ({ place, from: from + range.from, to: from + range.to })),
        ),
    };
  });
  return readable.toSorted((a, b) => byPlace(a.page, b.page));
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Of a merge it may be either; whoever merged has then lost his lease, and is not heard. */
function requireStored({ mergeNumber }: ResultsHeader, count: number): void {
  if (count === 0) throw fail(mergeNumber === undefined ? 'JOB_NOT_FOUND' : 'MERGE_REPLACED');
}

/** Final results in PostgreSQL. */
export function createResultStore(contents: Contents, { rowBytesMax }: { readonly rowBytesMax: number }): ResultStore {
  const { db } = contents;
  return {
    async put(header, maker) {
      await storeContent(contents, maker, rowBytesMax, {
        begin: jobExists(header.jobId),
        // most are a job's first ones
        small: async (place, { pages, version }) => {
          if ((await db.run(insertResults(header, pages, version, place))) > 0) return;
          await db.change([], () => ({
            save: replaceResults(header, pages, version, place),
            result: (saved) => requireStored(header, saved.at(-1)?.length ?? 0),
          }));
        },
        large: async (transaction, place, { pages, version }) => {
          const saved = await transaction.rowsOfEach(replaceResults(header, pages, version, place));
          requireStored(header, saved.at(-1)?.length ?? 0);
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
      if (row.result_id === null) return { ...job, results: undefined };
      return { ...job, results: { ...readHeader(jobId, row), pages: readablePages(contents, row) } };
    },
  };
}
