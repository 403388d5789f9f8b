import type { OutputWarning } from '@tally/merge';
import { type RowsOf, type Sql, sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import { type EstimatorPageHeader, sizesOf } from '../domain/page/page.js';
import type { KnownPages, PageIdentity, PagesChange } from '../domain/page/page-agreement.js';
import type { PageSet } from '../domain/page/page-set.js';
import type {
  NewTaskOutput,
  OutputRange,
  StoredTaskOutput,
  TaskOutputStore,
  TaskReportStore,
} from '../domain/ports.js';
import { appendTexts } from './append-texts.js';
import {
  blobStatements,
  type ContentRange,
  type Contents,
  jobExists,
  type NewContent,
  readContents,
  storeContent,
} from './content-store.js';

interface PageSetRow {
  readonly set_hash: string;
  readonly estimator_indexes: number[];
  readonly page_numbers: number[];
  readonly page_bytes: bigint[];
}

function readPageSet(row: PageSetRow): PageSet {
  const pages = row.estimator_indexes.map((estimatorIndex, index) => {
    return { estimatorIndex, pageNumber: row.page_numbers[index] ?? 0 };
  });
  return { hash: row.set_hash, pages, pageBytes: row.page_bytes.map(Number) };
}

const selectPageSets = (jobId: string) => sql<PageSetRow>`
  SELECT encode(set_hash, 'hex') AS set_hash, estimator_indexes, page_numbers, page_bytes
  FROM page_sets WHERE job_id = ${jobId}`;

/**
 * What is stored of the pages of a job. Locked are the job, so that no other output decides at the same time, and its page
 * sets, so that no output comes to refer to one that goes.
 */
function loadPages(jobId: string, taskId: number) {
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
type LoadedRows = RowsOf<ReturnType<typeof loadPages>>;

function readKnownPages(...[jobs, sets, pages, outputs]: LoadedRows): KnownPages & { readonly hasOwn: boolean } {
  if (jobs.length === 0) throw fail('JOB_NOT_FOUND');
  return {
    pageSets: sets.map(readPageSet),
    pages: pages.map((row): PageIdentity => {
      const { estimator_index: estimatorIndex, page_number: pageNumber, estimator_name: estimatorName } = row;
      return { estimatorIndex, pageNumber, estimatorName, headerHash: row.header_hash };
    }),
    others: outputs
      .filter((row) => !row.is_own)
      .map((row) => ({ setHash: row.set_hash, pageBytes: row.page_bytes?.map(Number) })),
    hasOwn: outputs.some((row) => row.is_own),
  };
}

/** The change with the output; what nobody has any more goes last, because the replaced output refers to it. */
function saveOutput(output: NewTaskOutput, content: NewContent, change: PagesChange, hasOwn: boolean): Sql[] {
  const { jobId } = output.header;
  return [
    ...dropPages(jobId, change),
    ...(hasOwn ? dropOwn(output) : []),
    ...blobStatements(content, jobId),
    saveRow(output, content, insertPages(output, change)),
    ...dropStale(jobId, change),
  ];
}

function dropPages(jobId: string, { stalePages }: PagesChange): Sql[] {
  if (stalePages.length === 0) return [];
  return [
    sql`DELETE FROM job_page_headers WHERE job_id = ${jobId} AND (estimator_index, page_number) IN (
      SELECT * FROM unnest(${stalePages.map((page) => page.estimatorIndex)}::int[],
        ${stalePages.map((page) => page.pageNumber)}::int[]))`,
  ];
}

/** Pages and page set that the job does not have yet, as queries of a statement. */
function insertPages({ header: { jobId }, pageSet }: NewTaskOutput, { isNewSet, newPages }: PagesChange): Sql[] {
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

function dropOwn({ header: { jobId, taskId } }: NewTaskOutput): Sql[] {
  return [
    sql`DELETE FROM blobs USING task_outputs AS replaced
      WHERE replaced.job_id = ${jobId} AND task_id = ${taskId} AND blobs.blob_id = replaced.blob_id`,
    sql`DELETE FROM task_outputs WHERE job_id = ${jobId} AND task_id = ${taskId}`,
  ];
}

/** @param queries - that are carried out with it */
function saveRow(output: NewTaskOutput, content: NewContent, queries: readonly Sql[]): Sql {
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

function dropStale(jobId: string, { staleSets }: PagesChange): Sql[] {
  if (staleSets.length === 0) return [];
  return [sql`DELETE FROM page_sets WHERE job_id = ${jobId} AND encode(set_hash, 'hex') = ANY(${staleSets})`];
}

interface OutputRow {
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

function readOutput(row: OutputRow, pageSets: ReadonlyMap<string, PageSet>): StoredTaskOutput {
  const pageSet = pageSets.get(row.set_hash);
  if (pageSet === undefined) throw fail('CHANGED_WHILE_READ');
  const layout = { pageSet, pageBytes: row.page_bytes?.map(Number) };
  return {
    outputId: row.output_id,
    taskId: row.task_id,
    primaries: Number(row.primaries),
    batches: row.batches,
    engine: row.engine,
    warnings: row.warnings,
    ...layout,
    hasRemainders: row.has_remainders,
    blobId: row.blob_id ?? undefined,
    content: row.content ?? undefined,
  };
}

/**
 * Contents of outputs of a job, bytes, and so many headers come with their rows: a small job is merged by one reading. What is larger
 * takes less as COPY, which sends bytes as they are, but is planned anew each time.
 */
const WITH_ROW = { contentBytesMax: 256 * 1024, headerCountMax: 64, headerBytesMax: 4 * 1024 };

/** Of each of so many outputs; 0: of none. */
const contentBytesMax = (count: number) => (count === 0 ? 0 : Math.floor(WITH_ROW.contentBytesMax / count));

const selectOutputs = (jobId: string, taskIds: readonly number[]) =>
  [
    selectPageSets(jobId),
    sql<OutputRow>`
      SELECT output_id, task_id, primaries, batches, engine, warnings, encode(set_hash, 'hex') AS set_hash, page_bytes, has_remainders,
        blob_id, CASE WHEN length(content) <= ${contentBytesMax(taskIds.length)} THEN content END AS content
      FROM task_outputs WHERE job_id = ${jobId} AND (${taskIds.length === 0} OR task_id = ANY(${[...taskIds]}::int[]))
      ORDER BY task_id`,
  ] as const;

function readOutputs(sets: readonly PageSetRow[], outputs: readonly OutputRow[]): StoredTaskOutput[] {
  const pageSets = new Map(sets.map((row) => [row.set_hash, readPageSet(row)]));
  return outputs.map((row) => readOutput(row, pageSets));
}

const selectPages = (jobId: string) => sql<{
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

/** The bytes of a range whose output came with its bytes. */
const heldBytes = ({ output: { content }, from, to }: OutputRange) => content?.subarray(from, to);

const toContentRange = ({ output, from, to }: OutputRange): ContentRange => {
  const { blobId, outputId } = output;
  return { place: blobId === undefined ? { table: 'task_outputs', rowId: outputId } : { blobId }, from, to };
};

/** Outputs of tasks in PostgreSQL. */
export function createTaskOutputStore(
  contents: Contents,
  reports: TaskReportStore,
  { rowBytesMax, logBytesMax }: { readonly rowBytesMax: number; readonly logBytesMax: number },
): TaskOutputStore {
  const { db } = contents;
  return {
    async put(jobId, content, decide, log) {
      const save = (rows: LoadedRows, place: NewContent, output: Parameters<typeof decide>[1]) => {
        const { hasOwn, ...known } = readKnownPages(...rows);
        return saveOutput(output, place, decide(known, output), hasOwn);
      };
      const isLogAppended = await storeContent(contents, content, rowBytesMax, {
        begin: jobExists(jobId),
        small: async (place, output) => {
          const content = place.content ?? Buffer.alloc(0);
          const saved = await reports.save({ output: { ...output, content }, ...(log && { log }) });
          if (saved.isOutputStored) return saved.isLogAppended;
          // a text that was appended without its output is not appended again: it does not follow any more
          const append = log === undefined ? [] : [appendTexts([{ ...log, index: 0 }], logBytesMax)];
          return db.change(loadPages(jobId, output.header.taskId), (...rows) => ({
            save: [...save(rows, place, output), ...append],
            result: (saved) => append.length > 0 && saved.at(-1)?.length === 1,
          }));
        },
        // one more statement would not matter, but what it says would have to be waited for
        large: async (transaction, place, output) => {
          const rows = await transaction.rowsOfEach(loadPages(jobId, output.header.taskId));
          void transaction.send(save(rows, place, output));
          return false;
        },
      });
      return { isLogAppended };
    },
    async listOutputs(jobId, taskIds) {
      return readOutputs(...(await db.rowsOfEach(selectOutputs(jobId, taskIds))));
    },
    async listOutputsAndPages(jobId, taskIds) {
      const [sets, outputs, pages] = await db.rowsOfEach([...selectOutputs(jobId, taskIds), selectPages(jobId)]);
      return {
        outputs: readOutputs(sets, outputs),
        pages: pages.map((row) => ({
          estimatorIndex: row.estimator_index,
          estimatorName: row.estimator_name,
          pageNumber: row.page_number,
          pageName: row.page_name,
          sizes: row.sizes,
          header: row.header ?? undefined,
        })),
      };
    },
    async listPageHeaders(jobId, pages) {
      const held = pages.flatMap((page) => ('header' in page && page.header !== undefined ? [page.header] : []));
      if (held.length === pages.length) return held;
      const rows = await db.rows(sql<{ header: EstimatorPageHeader }>`
        SELECT header FROM job_page_headers
        WHERE job_id = ${jobId} AND (estimator_index, page_number) IN (
          SELECT * FROM unnest(${pages.map((page) => page.estimatorIndex)}::int[],
            ${pages.map((page) => page.pageNumber)}::int[]))
        ORDER BY estimator_index, page_number`);
      return rows.map(({ header }) => header);
    },
    async readRanges(ranges) {
      const held = ranges.flatMap((range) => heldBytes(range) ?? []);
      return held.length === ranges.length ? held : readContents(contents, ranges.map(toContentRange));
    },
  };
}
