import type { results } from '@tally/contracts';
import { type TextPart, textPieces } from '@tally/number-text';
import { answerInvalid } from '../../../errors.js';
import { onJob } from '../../access.js';
import { openObject } from '../../answer/json-text.js';
import { createPieceMemory } from '../../answer/piece-memory.js';
import { tagOf } from '../../answer/respond.js';
import { type Section, type StreamPart, sections } from '../../answer/sections.js';
import { toProvenance } from '../../mappers.js';
import { invalid } from '../../request/validate.js';
import { defineRoute } from '../../route.js';
import { resultsQuery, resultsResponse } from '../../schemas/result.js';
import { FILE_TYPES, formatOf, resultsFile } from './file.js';
import { toSelection } from './selection.js';

type PageStart = results.ResultsPageHeader;
type Part = NonNullable<results.GetResultsResponse['part']>;
/** A piece of the text of a page. */
type PagePiece = Exclude<Part, { readonly $case: 'header' | 'page' }>;

/** GET /results: pages with their numbers, streamed as they come from storage. */
export const getResults = defineRoute({
  method: 'GET',
  path: '/results',
  auth: 'session',
  access: onJob('read'),
  summary: 'Results of a job',
  description: `JSON, or by \`Accept\` or \`format\` a file (docs/results.md). Parts of pages: \`axis=2&index=40\` is a plane,
\`axis=2&index=10-20\` what lies between, \`sum=0,1\` the sum over two axes.`,
  requestClass: 'stream',
  query: resultsQuery,
  responses: {
    200: {
      description: 'The selected pages, in the order of the project; partial while tasks are missing',
      schema: resultsResponse,
      alternatives: FILE_TYPES,
      headers: { ETag: 'Validator of this selection in this format and encoding; strong of JSON' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
    403: { description: "Another user's job" },
    404: { description: 'No such job or estimator, or no results yet' },
    406: { description: '`NOT_ACCEPTABLE`: `Accept` names no format that there is' },
    409: {
      description:
        'The results were replaced while they were read: read them again; or sums are asked for that the tasks of the job ' +
        'do not give',
    },
  },
  handle: async (request, services) => {
    const { query, call } = request;
    const selection = toSelection(query);
    const format = formatOf(query.format, request.header('accept'));
    if (query.scale !== undefined && format !== 'dicom')
      throw invalid([{ field: 'scale', message: 'is for format=dicom; other formats give what the page has' }]);
    if (format !== 'json') {
      const told = query.description === 'true' ? { hasDescription: true } : {};
      return resultsFile(services.results, { ...selection, ...told, particles: query.scale }, format, call);
    }
    const stream = services.results.getResults(selection, call);
    const parts = stream[Symbol.asyncIterator]();
    const first = await parts.next();
    const about = !first.done && first.value.part?.$case === 'header' ? first.value.part.value : undefined;
    if (about === undefined) throw answerInvalid('results do not begin with their header');
    return {
      kind: 'stream',
      status: 200,
      isNegotiated: true,
      tag: tagOf(about.version, JSON.stringify(selection)),
      text: resultsText(about, sections(pageParts(parts))),
    };
  },
});

async function* pageParts(
  parts: AsyncIterator<results.GetResultsResponse>,
): AsyncGenerator<StreamPart<PageStart, PagePiece>> {
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part === undefined || part.$case === 'header') throw answerInvalid('results have a second header');
      if (part.$case === 'page') yield { start: part.value };
      else yield { chunk: part };
    }
  } finally {
    await parts.return?.();
  }
}

async function* resultsText(
  header: results.ResultsHeader,
  pages: AsyncIterable<Section<PageStart, PagePiece>>,
): AsyncGenerator<Uint8Array | string> {
  const copy = createPieceMemory();
  const head = openObject({ message: 'Results', ...toProvenance(header) });
  yield `${head}"estimators":[`;
  let estimator: string | undefined;
  for await (const { start, chunks } of pages) {
    if (start.estimatorName === estimator) yield ',';
    else yield `${estimator === undefined ? '' : ']},'}${openObject({ name: start.estimatorName })}"pages":[`;
    estimator = start.estimatorName;
    yield* textPieces(textParts(chunks), copy);
  }
  yield estimator === undefined ? ']}' : ']}]}';
}

async function* textParts(pieces: AsyncIterable<PagePiece>): AsyncGenerator<TextPart> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (piece.$case === 'chunk') yield { text: piece.value };
    else if (piece.$case === 'nullCount') yield { nullCount: piece.value };
    else if (piece.$case === 'counted') yield { counted: piece.value };
    else yield { numbers: piece.value, isFirst, hasNulls: piece.$case === 'numbersOrNulls' };
    isFirst = piece.$case === 'chunk';
  }
}
