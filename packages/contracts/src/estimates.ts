/**
 * How estimates that did not come from this suite's simulators (means a primary, standard errors) travel to results: as one
 * task's output, or as the final results of a job.
 */
import {
  BYTES_PER_NUMBER,
  ESTIMATE_BATCHES,
  encodeNumbers,
  type PageEstimates,
  type PageKind,
  sumsOfEstimates,
} from '@tally/merge';
import type {
  PageHeader,
  PutResultsRequest,
  PutTaskOutputRequest,
  ResultsHeader,
  TaskOutputHeader,
} from './gen/results/v1/results_service.js';
import { PAGE_KINDS } from './task-output.js';

/** An estimator with its pages. */
export interface EstimatorEstimates {
  readonly name: string;
  readonly fileName: string;
  readonly pages: readonly DescribedEstimates[];
}

/** Estimates with what they are of. Arrays: first axis fastest; NaN: not a finite number, or an unknown error. */
export interface DescribedEstimates extends PageEstimates {
  readonly pageNumber: number;
  readonly name: string;
  readonly unit: string;
  readonly axes: readonly { readonly name: string; readonly unit: string; readonly centers: readonly number[] }[];
  /** What is said of the page besides; final results only. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** Bytes of one message of the stream at most. */
const CHUNK_BYTES = 256 * 1024;

/** The messages of `PutTaskOutput` for one task's estimates: the sums that tasks are merged by. */
export function* estimatedOutputMessages(
  header: Omit<TaskOutputHeader, 'batches' | 'counters' | 'pageCount' | 'warnings'>,
  estimators: readonly EstimatorEstimates[],
): Generator<PutTaskOutputRequest> {
  const batches = header.primaries === 0n ? 0 : ESTIMATE_BATCHES;
  const value = { ...header, batches, counters: {}, pageCount: countPages(estimators), warnings: [] };
  yield { part: { $case: 'header', value } };
  for (const [estimator, page, index] of pagesOf(estimators)) {
    const { kind, moments } = sumsOfEstimates(page, Number(header.primaries));
    yield { part: { $case: 'page', value: toPageHeader(estimator, page, index, kind) } };
    for (const array of moments) yield* chunks(array);
  }
}

/** The messages of `PutResults` for estimates of the whole job. */
export function* estimatedResultsMessages(
  header: Omit<ResultsHeader, 'version' | 'pageCount' | 'warnings'>,
  estimators: readonly EstimatorEstimates[],
): Generator<PutResultsRequest> {
  const value = { ...header, version: '', pageCount: countPages(estimators), warnings: [] };
  yield { part: { $case: 'header', value } };
  for (const [estimator, page, index] of pagesOf(estimators)) {
    const { values, errors, metadata } = page;
    const metadataJson = metadata === undefined ? undefined : JSON.stringify(metadata);
    const described = toPageHeader(estimator, page, index, 'linear');
    yield { part: { $case: 'page', value: { ...described, metadataJson } } };
    yield* chunks(values);
    yield* errors === undefined ? unknownNumbers(values.length) : chunks(errors);
  }
}

function* pagesOf(
  estimators: readonly EstimatorEstimates[],
): Generator<[EstimatorEstimates, DescribedEstimates, number]> {
  for (const [index, estimator] of estimators.entries()) {
    for (const page of estimator.pages) yield [estimator, page, index];
  }
}

function countPages(estimators: readonly EstimatorEstimates[]): number {
  return estimators.reduce((sum, { pages }) => sum + pages.length, 0);
}

function toPageHeader(
  { name: estimatorName, fileName }: EstimatorEstimates,
  { pageNumber, name: pageName, unit, axes }: DescribedEstimates,
  estimatorIndex: number,
  kind: PageKind,
): PageHeader {
  const copied = axes.map((axis) => ({ ...axis, centers: [...axis.centers] }));
  const names = { estimatorIndex, estimatorName, fileName, pageNumber, pageName };
  return { ...names, kind: PAGE_KINDS[kind], unit, scale: 1, axes: copied };
}

/** As many NaN. (`has_no_errors` is for the next release: the one before this would miss them.) */
function* unknownNumbers(count: number): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  const bytes = Buffer.from(
    encodeNumbers(new Float64Array(Math.min(count, CHUNK_BYTES / BYTES_PER_NUMBER)).fill(Number.NaN)),
  );
  for (let left = count * BYTES_PER_NUMBER; left > 0; left -= bytes.byteLength) {
    yield { part: { $case: 'chunk', value: bytes.subarray(0, left) } };
  }
}

function* chunks(numbers: Float64Array): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  const { buffer } = encodeNumbers(numbers);
  for (let from = 0; from < buffer.byteLength; from += CHUNK_BYTES) {
    const value = Buffer.from(buffer, from, Math.min(CHUNK_BYTES, buffer.byteLength - from));
    yield { part: { $case: 'chunk', value } };
  }
}
