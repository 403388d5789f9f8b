/**
 * How estimates that did not come from this suite's simulators (means a primary, standard errors) travel to results: as one
 * task's output, or as the final results of a job.
 */
import {
  ESTIMATE_BATCHES,
  kindOfEstimates,
  type PageEstimates,
  type PageKind,
  sumsOfEstimates,
  takeNumberBytes,
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
  /** Bins along a last axis that only numbers them, from 1. */
  readonly numberedBins?: number | undefined;
  /** What is said of the page besides; final results only. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** Numbers in a message of the stream, 256 KiB. */
const NUMBERS_PER_CHUNK = 32 * 1024;

/** The messages of `PutTaskOutput` for one task's estimates: the sums that tasks are merged by. */
export function* estimatedOutputMessages(
  header: Omit<TaskOutputHeader, 'batches' | 'counters' | 'pageCount' | 'warnings'>,
  estimators: readonly EstimatorEstimates[],
): Generator<PutTaskOutputRequest> {
  const batches = header.primaries === 0n ? 0 : ESTIMATE_BATCHES;
  const value = { ...header, batches, counters: {}, pageCount: countPages(estimators), warnings: [] };
  yield { part: { $case: 'header', value } };
  const primaries = Number(header.primaries);
  for (const [estimator, page, index] of pagesOf(estimators)) {
    yield { part: { $case: 'page', value: toPageHeader(estimator, page, index, kindOfEstimates(page)) } };
    for (const moment of [0, 1] as const) {
      for (const slice of slicesOf(page)) yield chunkOf(sumsOfEstimates(slice, primaries).moments[moment]);
    }
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
    const { metadata } = page;
    const metadataJson = metadata === undefined ? undefined : JSON.stringify(metadata);
    const described = toPageHeader(estimator, page, index, 'linear');
    const hasNoErrors = page.errors === undefined;
    yield { part: { $case: 'page', value: { ...described, metadataJson, hasNoErrors } } };
    for (const { values } of slicesOf(page)) yield chunkOf(values);
    for (const { errors } of slicesOf(page)) if (errors !== undefined) yield chunkOf(errors);
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
  { pageNumber, name: pageName, unit, axes, numberedBins: bins }: DescribedEstimates,
  estimatorIndex: number,
  kind: PageKind,
): PageHeader {
  const names = { estimatorIndex, estimatorName, fileName, pageNumber, pageName };
  const numberedBins = bins === undefined ? undefined : BigInt(bins);
  // messages are written, and not changed: their types do not say so
  return { ...names, kind: PAGE_KINDS[kind], unit, scale: 1, axes: axes as PageHeader['axes'], numberedBins };
}

/** Parts of the numbers, each of a message. */
function* slicesOf({ values, errors }: PageEstimates): Generator<PageEstimates> {
  for (let from = 0; from < values.length; from += NUMBERS_PER_CHUNK) {
    const to = from + NUMBERS_PER_CHUNK;
    yield { values: values.subarray(from, to), errors: errors?.subarray(from, to) };
  }
}

/** Shares their memory until it is sent: nobody changes them any more. */
function chunkOf(numbers: Float64Array): { part: { $case: 'chunk'; value: Buffer } } {
  const { buffer, byteOffset, byteLength } = takeNumberBytes(numbers);
  return { part: { $case: 'chunk', value: Buffer.from(buffer, byteOffset, byteLength) } };
}
