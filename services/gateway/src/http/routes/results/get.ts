import { type JoinPart, joinedGzip, plainText, results } from '@tally/contracts';
import { openObject } from '../../answer/json-text.js';
import { tagOf } from '../../answer/respond.js';
import { type Section, type StreamPart, sections } from '../../answer/sections.js';
import { answerInvalid, toProvenance } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { type PageRange, resultsQuery, resultsResponse } from '../../schemas/result.js';

type PageStart = results.ResultsPageHeader;

/** GET /results: pages with their numbers, streamed as they come from storage. */
export const getResults = defineRoute({
  method: 'GET',
  path: '/results',
  auth: 'session',
  summary: 'Results of a job',
  requestClass: 'stream',
  query: resultsQuery,
  responses: {
    200: {
      description: 'The selected pages, in the order of the project; partial while tasks are missing',
      schema: resultsResponse,
      headers: { ETag: 'Strong validator of this selection in this encoding' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
    403: { description: "Another user's job" },
    404: { description: 'No such job or estimator, or no results yet' },
    409: { description: 'The results were replaced while they were read; read them again' },
  },
  handle: async ({ query, acceptsGzip, call }, services) => {
    const pages = selectPages(query.page_numbers, query.page_number);
    const estimatorName = query.estimator_name ?? '';
    const encoding = acceptsGzip ? results.PageEncoding.PAGE_ENCODING_GZIP : results.PageEncoding.PAGE_ENCODING_TEXT;
    const stream = services.results.getResults(
      { jobId: query.job_id, estimatorName, pages: [...pages], encoding },
      call,
    );
    const parts = stream[Symbol.asyncIterator]();
    const first = await parts.next();
    const header = !first.done && first.value.part?.$case === 'header' ? first.value.part.value : undefined;
    if (header === undefined) throw answerInvalid('results do not begin with their header');
    const content = resultsContent(header, sections(pageParts(parts)));
    return {
      kind: 'stream',
      status: 200,
      tag: tagOf(header.version, query.job_id, estimatorName, JSON.stringify(pages)),
      text: plainText(content),
      gzip: joinedGzip(content),
    };
  },
});

function selectPages(ranges: readonly PageRange[] = [], single: number | undefined): readonly PageRange[] {
  return single === undefined ? ranges : [...ranges, { first: single, last: single }];
}

async function* pageParts(parts: AsyncIterator<results.GetResultsResponse>): AsyncGenerator<StreamPart<PageStart>> {
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part?.$case === 'page') yield { start: part.value };
      else if (part?.$case === 'chunk') yield { chunk: part.value };
      else throw answerInvalid('results have a second header');
    }
  } finally {
    await parts.return?.();
  }
}

async function* resultsContent(
  header: results.ResultsHeader,
  pages: AsyncIterable<Section<PageStart>>,
): AsyncGenerator<JoinPart> {
  const head = openObject({ message: 'Results', ...toProvenance(header) });
  yield { text: `${head}"estimators":[` };
  let estimator: string | undefined;
  for await (const { start, chunks } of pages) {
    if (start.estimatorName === estimator) yield { text: ',' };
    else yield { text: `${estimator === undefined ? '' : ']},'}${openObject({ name: start.estimatorName })}"pages":[` };
    estimator = start.estimatorName;
    yield { member: chunks };
  }
  yield { text: estimator === undefined ? ']}' : ']}]}' };
}
