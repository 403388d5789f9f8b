import { endianness } from 'node:os';
import { results } from '@tally/contracts';
import type { UploadedEstimator, UploadedPage } from './schemas/uploaded-results.js';

/** Bytes of one message of the stream at most. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Batches that a task with standard errors counts for: so many that the errors it gives speak, and not the few tasks'
 * scatter. With B batches, primaries n, mean m and standard error e, the sums are n·m and n·(m² + (B−1)·e²).
 */
const BATCHES = 1_000;

/** One task's output as workers send it, mean values a primary, as the sums that tasks are merged by. */
export function* taskOutputMessages(
  header: Omit<results.TaskOutputHeader, 'batches' | 'counters' | 'pageCount' | 'warnings'>,
  estimators: readonly UploadedEstimator[],
): Generator<results.PutTaskOutputRequest> {
  const batches = header.primaries === 0n ? 0 : BATCHES;
  const value = { ...header, batches, counters: {}, pageCount: countPages(estimators), warnings: [] };
  yield { part: { $case: 'header', value } };
  const primaries = Number(header.primaries);
  for (const [estimator, page, index] of pagesOf(estimators)) {
    const { values: means, errors } = page;
    const kind = errors ? results.PageKind.PAGE_KIND_LINEAR : results.PageKind.PAGE_KIND_AVERAGE;
    yield { part: { $case: 'page', value: toPageHeader(estimator, page, index, kind) } };
    yield* chunks(means.map((mean) => mean * primaries));
    yield* chunks(means.map((mean, bin) => primaries * (mean * mean + (BATCHES - 1) * (errors?.[bin] ?? 0) ** 2)));
  }
}

/** A job's final results as workers send them. */
export function* resultsMessages(
  header: Omit<results.ResultsHeader, 'version' | 'pageCount' | 'warnings'>,
  estimators: readonly UploadedEstimator[],
): Generator<results.PutResultsRequest> {
  const value = { ...header, version: '', pageCount: countPages(estimators), warnings: [] };
  yield { part: { $case: 'header', value } };
  for (const [estimator, page, index] of pagesOf(estimators)) {
    const { values, errors, metadata } = page;
    const header = toPageHeader(estimator, page, index, results.PageKind.PAGE_KIND_LINEAR);
    const metadataJson = metadata === undefined ? undefined : JSON.stringify(metadata);
    yield { part: { $case: 'page', value: { ...header, metadataJson } } };
    yield* chunks(values);
    yield* chunks(errors ?? new Float64Array(values.length).fill(Number.NaN));
  }
}

function* pagesOf(estimators: readonly UploadedEstimator[]): Generator<[UploadedEstimator, UploadedPage, number]> {
  for (const [index, estimator] of estimators.entries()) {
    for (const page of estimator.pages) yield [estimator, page, index];
  }
}

function countPages(estimators: readonly UploadedEstimator[]): number {
  return estimators.reduce((sum, { pages }) => sum + pages.length, 0);
}

function toPageHeader(
  { name: estimatorName, fileName }: UploadedEstimator,
  { pageNumber, name: pageName, unit, axes }: UploadedPage,
  estimatorIndex: number,
  kind: results.PageKind,
): results.PageHeader {
  const copied = axes.map((axis) => ({ ...axis, centers: [...axis.centers] }));
  return { estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale: 1, axes: copied };
}

function* chunks(numbers: Float64Array): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (endianness() === 'BE') bytes.swap64(); // the contract's order is little-endian
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    yield { part: { $case: 'chunk', value: bytes.subarray(from, from + CHUNK_BYTES) } };
  }
}
