import { type Reader, requireJob } from './job-access.js';
import type { PageSummary } from './page.js';
import type { InputStore } from './ports.js';
import { openResults, type ReadableResultsPorts, selectPages } from './readable-results.js';
import type { StoredResults } from './result.js';
import type { PageSelection } from './selection.js';

/** A piece of an answer: the header, then pages, each followed by the bytes of one gzip member of its JSON text. */
export type ResultsPart =
  | { readonly kind: 'header'; readonly header: StoredResults; readonly pageCount: number }
  | { readonly kind: 'page'; readonly page: PageSummary }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/**
 * Results of a job: the final ones, or before there are any what its task outputs give, marked partial.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, RESULTS_UNAVAILABLE, ESTIMATOR_NOT_FOUND, SELECTION_INVALID,
 * CHANGED_WHILE_READ
 */
export async function* getResults(
  ports: ReadableResultsPorts & { readonly inputs: InputStore },
  jobId: string,
  selection: PageSelection,
  reader: Reader,
): AsyncGenerator<ResultsPart> {
  await requireJob(ports.inputs, jobId, reader);
  const results = await openResults(ports, jobId);
  const pages = await selectPages(results, selection);
  yield { kind: 'header', header: results.header, pageCount: pages.length };
  for (const page of pages) {
    yield { kind: 'page', page: page.summary };
    for await (const bytes of page.read()) yield { kind: 'bytes', bytes };
  }
}
