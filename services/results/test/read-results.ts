import { gunzipSync } from 'node:zlib';
import type { results } from '@tally/contracts';
import { asUser, collect, OWNER, type ResultsSuite } from './results-suite.js';

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

/** An answer of GetResults, its pages unpacked. */
export function unpackResults(messages: readonly results.GetResultsResponse[]): {
  header: results.ResultsHeader;
  pages: ReadPage[];
  chunkBytes: number[];
} {
  const [first, ...rest] = messages;
  if (first?.part?.$case !== 'header') throw new Error('no header');
  const pages: { header: results.ResultsPageHeader; chunks: Buffer[] }[] = [];
  const chunkBytes: number[] = [];
  for (const { part } of rest) {
    if (part?.$case === 'page') pages.push({ header: part.value, chunks: [] });
    if (part?.$case === 'chunk') {
      pages.at(-1)?.chunks.push(part.value);
      chunkBytes.push(part.value.length);
    }
  }
  return {
    header: first.part.value,
    chunkBytes,
    pages: pages.map(({ header, chunks }) => {
      const json = gunzipSync(Buffer.concat(chunks)).toString('utf8');
      return { ...header, json, shown: JSON.parse(json) as ShownPage };
    }),
  };
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
