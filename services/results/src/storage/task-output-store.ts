import type { RowsOf, Sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { KnownPages, PageIdentity, PagesChange } from '../domain/page/page-agreement.js';
import type { PageSet } from '../domain/page/page-set.js';
import type {
  NewTaskOutput,
  OutputRange,
  StoredTaskOutput,
  TaskOutputStore,
  TaskReportStore,
} from '../domain/ports.js';
import { type ContentRange, type Contents, jobExists, readContents, storeContent } from './content-store.js';
import { appendTexts } from './statements/append-texts.js';
import { insertBlob, type NewContent } from './statements/blobs.js';
import {
  dropOwn,
  dropPages,
  dropStale,
  insertPages,
  listPageHeaders,
  loadPages,
  type OutputRow,
  type PageSetRow,
  saveRow,
  selectOutputs,
  selectPages,
} from './statements/task-outputs.js';

function readPageSet(row: PageSetRow): PageSet {
  const pages = row.estimator_indexes.map((estimatorIndex, index) => {
    return { estimatorIndex, pageNumber: row.page_numbers[index] ?? 0 };
  });
  return { hash: row.set_hash, pages, pageBytes: row.page_bytes.map(Number) };
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
    ...insertBlob(content, jobId),
    saveRow(output, content, insertPages(output, change)),
    ...dropStale(jobId, change),
  ];
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

function readOutputs(sets: readonly PageSetRow[], outputs: readonly OutputRow[]): StoredTaskOutput[] {
  const pageSets = new Map(sets.map((row) => [row.set_hash, readPageSet(row)]));
  return outputs.map((row) => readOutput(row, pageSets));
}

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
      const rows = await db.rows(listPageHeaders(jobId, pages));
      return rows.map(({ header }) => header);
    },
    async readRanges(ranges) {
      const held = ranges.flatMap((range) => heldBytes(range) ?? []);
      return held.length === ranges.length ? held : readContents(contents, ranges.map(toContentRange));
    },
  };
}
