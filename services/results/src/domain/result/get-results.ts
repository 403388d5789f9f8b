import type { TextPart } from '@tally/number-text';
import type { Reader } from '../job-access.js';
import type { NumberPage } from '../page/number-page.js';
import type { PageSummary } from '../page/page.js';
import { isWhole, type PagePart, viewText } from '../page/page-view.js';
import type { PageSelection } from '../page/selection.js';
import { type Problem, readingsOf } from './page-readings.js';
import { openResults, type ReadableResultsPorts, selectPages } from './readable-results.js';
import type { StoredResults } from './result.js';

/** A piece of an answer: the header, then pages, each followed by its JSON text. */
export type ResultsPart =
  | { readonly kind: 'header'; readonly header: StoredResults; readonly pageCount: number }
  | { readonly kind: 'page'; readonly page: PageSummary }
  | { readonly kind: 'text'; readonly text: TextPart };

/**
 * Results of a job, or a part of each page of them: the final ones, or before there are any what its task outputs give, marked partial.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, RESULTS_UNAVAILABLE, ESTIMATOR_NOT_FOUND, SELECTION_INVALID,
 * AXIS_INVALID, SUM_UNAVAILABLE, CHANGED_WHILE_READ
 */
export async function* getResults(
  ports: ReadableResultsPorts,
  jobId: string,
  selection: PageSelection,
  part: PagePart,
  reader: Reader,
): AsyncGenerator<ResultsPart> {
  const results = await openResults(ports, jobId, reader);
  const pages = selectPages(results, selection);
  yield { kind: 'header', header: results.header, pageCount: pages.length };
  for (const page of pages) {
    // of a part, what cannot be given shows before the page begins
    const text = isWhole(part)
      ? page.read()
      : await viewedText(ports, await page.view(part), results.header.description);
    yield { kind: 'page', page: page.summary };
    for await (const piece of text) yield { kind: 'text', text: piece };
  }
}

async function viewedText({ encodePage }: ReadableResultsPorts, view: NumberPage, problem: Problem) {
  return encodePage(viewText(view, await readingsOf(view, problem)));
}
