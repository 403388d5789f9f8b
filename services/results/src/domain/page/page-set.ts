import { createHash } from 'node:crypto';
import { BYTES_PER_NUMBER, countBins, pageSizeBytes } from '@tally/merge';
import type { EstimatorPageHeader, PageKey } from './page.js';

/** The pages of a task's output, in the order of their arrays; most tasks of a job have the same. */
export interface PageSet {
  /** SHA-256 over all that the pages are, hex. */
  readonly hash: string;
  readonly pages: readonly PageKey[];
  /** Bytes of the arrays of each; of a list 0, because its length is each task's own. */
  readonly pageBytes: readonly number[];
}

/** An output as far as its layout goes. */
export interface OutputLayout {
  readonly pageSet: PageSet;
  /** Bytes of the arrays of each page, where they are not those of the page set. */
  readonly pageBytes: readonly number[] | undefined;
  /** Behind the arrays of all pages come as many bytes: what float64 leaves of each number (ADR 13). */
  readonly hasRemainders?: boolean;
}

/** Where the arrays of a page lie among an output's bytes. */
export interface PagePlace {
  readonly from: number;
  readonly to: number;
}

/** The layout of an output with these pages. */
export function layOut(headers: readonly EstimatorPageHeader[], hasRemainders: boolean): OutputLayout {
  const pages = headers.map(({ estimatorIndex, pageNumber }) => ({ estimatorIndex, pageNumber }));
  const bytesOf = (header: EstimatorPageHeader) => pageSizeBytes(header.kind, countBins(header));
  const common = headers.map((header) => (header.kind === 'list' ? 0 : bytesOf(header)));
  const hasList = headers.some(({ kind }) => kind === 'list');
  const pageSet = { hash: hashPages(headers), pages, pageBytes: common };
  return { pageSet, pageBytes: hasList ? headers.map(bytesOf) : undefined, hasRemainders };
}

/** Where the page is; undefined: the output does not have it. */
export function placeOf({ pageSet, pageBytes = pageSet.pageBytes }: OutputLayout, key: PageKey): PagePlace | undefined {
  let from = 0;
  for (const [index, page] of pageSet.pages.entries()) {
    const to = from + (pageBytes[index] ?? 0);
    if (page.estimatorIndex === key.estimatorIndex && page.pageNumber === key.pageNumber) return { from, to };
    from = to;
  }
  return undefined;
}

/** Bytes of all arrays. */
export function outputBytes({ pageSet, pageBytes = pageSet.pageBytes }: OutputLayout): number {
  return pageBytes.reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes of all arrays, and of what float64 leaves of them. */
export function storedBytes(layout: OutputLayout): number {
  return (layout.hasRemainders === true ? 2 : 1) * outputBytes(layout);
}

/** Bin centres go in as they are: as text they would take longer than all the rest of a small output. */
function hashPages(headers: readonly EstimatorPageHeader[]): string {
  const hash = createHash('sha256');
  for (const header of headers) {
    const { estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes } = header;
    const said = axes.map((axis) => [axis.name, axis.unit, axis.centers.length]);
    hash.update(
      JSON.stringify([estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, said]),
    );
    for (const { centers } of axes) hash.update(Float64Array.from(centers));
  }
  return hash.digest('hex');
}

/** SHA-256 over everything that a page is, hex; in the number of its records every task's list is another. */
export function hashHeader(header: EstimatorPageHeader): string {
  const { estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes } = header;
  const content = [estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Whether one of the outputs has the page. */
export function hasPage(outputs: readonly OutputLayout[], key: PageKey): boolean {
  return outputs.some((output) => placeOf(output, key) !== undefined);
}

/** Records of a list in all of these outputs. @param columns - numbers of a record */
export function countRecords(outputs: readonly OutputLayout[], key: PageKey, columns: number): number {
  const bytes = outputs.reduce((sum, output) => {
    const place = placeOf(output, key);
    return place === undefined ? sum : sum + place.to - place.from;
  }, 0);
  return bytes / (columns * BYTES_PER_NUMBER);
}
