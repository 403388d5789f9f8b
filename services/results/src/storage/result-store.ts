import { fail } from '../domain/errors.js';
import type { RangeReader } from '../domain/page/number-page.js';
import type { PageKey } from '../domain/page/page.js';
import type { ReadableFinalPage, ResultStore } from '../domain/ports.js';
import { finalPagePlaces, type ResultsHeader, type StoredResults } from '../domain/result/result.js';
import {
  type ContentPlace,
  type Contents,
  jobExists,
  readContent,
  readContents,
  storeContent,
} from './content-store.js';
import { readJob } from './input-store.js';
import { insertResults, openResults, type ResultRow, replaceResults } from './statements/results.js';

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
      const row = await db.row(openResults(jobId));
      if (row === undefined) return undefined;
      const job = readJob(row);
      if (row.result_id === null) return { ...job, results: undefined };
      return { ...job, results: { ...readHeader(jobId, row), pages: readablePages(contents, row) } };
    },
  };
}
