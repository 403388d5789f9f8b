import type { results } from '@tally/contracts';
import { type TextPart, textPieces } from '@tally/number-text';
import { asUser, collect, OWNER, type ResultsSuite, streamOf } from './results-suite.js';

/** A page as the public API shows it. */
export interface ShownPage {
  readonly page_number: number;
  readonly name: string;
  readonly data: {
    readonly values: number[];
    readonly dimensions: number[][];
    readonly unit: string;
    readonly errors: (number | null)[];
    readonly error_batches?: number;
    readonly effective_histories?: (number | null)[];
    readonly axes: { name: string; unit: string }[];
  };
}

export interface ReadPage {
  readonly estimatorName: string;
  readonly pageNumber: number;
  readonly json: string;
  readonly shown: ShownPage;
}

type Part = NonNullable<results.GetResultsResponse['part']>;
type PagePart = Exclude<Part, { readonly $case: 'header' | 'page' }>;

/** An answer of GetResults, with the text of its pages. */
export async function unpackResults(messages: readonly results.GetResultsResponse[]) {
  const [first, ...rest] = messages;
  if (first?.part?.$case !== 'header') throw new Error('no header');
  const pages: { readonly header: results.ResultsPageHeader; readonly parts: PagePart[] }[] = [];
  for (const { part } of rest) {
    if (part === undefined || part.$case === 'header') throw new Error('a part that is none of a page');
    if (part.$case === 'page') pages.push({ header: part.value, parts: [] });
    else pages.at(-1)?.parts.push(part);
  }
  const parts = pages.flatMap((page) => page.parts);
  return {
    header: first.part.value,
    cases: new Set(parts.map((part) => part.$case)),
    counted: parts.flatMap((part) => (part.$case === 'counted' ? [part.value] : [])),
    chunkBytes: parts.flatMap((part) => (Buffer.isBuffer(part.value) ? [part.value.length] : [])),
    pages: await Promise.all(
      pages.map(async (page): Promise<ReadPage> => {
        const json = Buffer.concat(await collect(textPieces(streamOf(page.parts.map(toTextPart))))).toString();
        return { ...page.header, json, shown: JSON.parse(json) as ShownPage };
      }),
    ),
  };
}

function toTextPart(part: PagePart, index: number, parts: readonly PagePart[]): TextPart {
  if (part.$case === 'chunk') return { text: part.value };
  if (part.$case === 'nullCount') return { nullCount: part.value };
  if (part.$case === 'counted') return { counted: part.value };
  const isFirst = parts[index - 1]?.$case === 'chunk';
  return { numbers: part.value, isFirst, hasNulls: part.$case === 'numbersOrNulls' };
}

/** Asks for results as the gateway does for the owner. */
export async function readResults(
  suite: ResultsSuite,
  jobId: string,
  selection: Partial<results.GetResultsRequest> = {},
  userId = OWNER,
) {
  const request = { jobId, estimatorName: '', pages: [], axes: [], ...selection };
  return unpackResults(await asUser(userId, () => collect(suite.gateway.getResults(request))));
}
