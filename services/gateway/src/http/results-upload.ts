import { endianness } from 'node:os';
import { results } from '@tally/contracts';
import type { UploadedEstimator } from './schemas/worker.js';

/** Bytes of one message of the stream at most. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Batches that a task with standard errors counts for: so many that the errors it gives speak, and not the few tasks'
 * scatter. With B batches, primaries n, mean m and standard error e, the sums are n·m and n·(m² + (B−1)·e²).
 */
const BATCHES = 1_000;

type Page = UploadedEstimator['pages'][number];

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
    const { values, errors } = page.data;
    const kind = errors ? results.PageKind.PAGE_KIND_LINEAR : results.PageKind.PAGE_KIND_AVERAGE;
    yield { part: { $case: 'page', value: toPageHeader(estimator, page, index, kind) } };
    const means = toNumbers(values);
    const spread = errors ? toNumbers(errors) : undefined;
    yield* chunks(means.map((mean) => mean * primaries));
    yield* chunks(means.map((mean, bin) => primaries * (mean * mean + (BATCHES - 1) * (spread?.[bin] ?? 0) ** 2)));
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
    const { values, errors } = page.data;
    const value = toPageHeader(estimator, page, index, results.PageKind.PAGE_KIND_LINEAR);
    yield { part: { $case: 'page', value } };
    yield* chunks(toNumbers(values));
    yield* chunks(errors ? toNumbers(errors) : new Float64Array(values.length).fill(Number.NaN));
  }
}

function* pagesOf(estimators: readonly UploadedEstimator[]): Generator<[UploadedEstimator, Page, number]> {
  for (const [index, estimator] of estimators.entries()) {
    for (const page of estimator.pages) yield [estimator, page, index];
  }
}

function countPages(estimators: readonly UploadedEstimator[]): number {
  return estimators.reduce((sum, { pages }) => sum + pages.length, 0);
}

/** Names of the axes of a page that does not name them. */
const AXIS_NAMES = ['X', 'Y', 'Z'];

function toPageHeader(
  { name, file_name }: UploadedEstimator,
  { page_number, name: pageName, data }: Page,
  estimatorIndex: number,
  kind: results.PageKind,
): results.PageHeader {
  const axes = data.dimensions.map((centers, axis) => {
    const { name: axisName = AXIS_NAMES[axis] ?? '', unit = '' } = data.axes?.[axis] ?? {};
    return { name: axisName, unit, centers };
  });
  return {
    estimatorIndex,
    estimatorName: name,
    fileName: file_name ?? name,
    pageNumber: page_number,
    pageName,
    kind,
    unit: data.unit,
    scale: 1,
    axes,
  };
}

/** JSON has no word for what is not finite: null. */
function toNumbers(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

function* chunks(numbers: Float64Array): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (endianness() === 'BE') bytes.swap64(); // the contract's order is little-endian
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    yield { part: { $case: 'chunk', value: bytes.subarray(from, from + CHUNK_BYTES) } };
  }
}
