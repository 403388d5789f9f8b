import { BYTES_PER_NUMBER, type JobDescription, type OutputWarning, type Reading, WARNINGS_MAX } from '@tally/merge';
import { fail } from '../errors.js';
import { areWarnings } from '../output/task-output.js';
import type { EstimatorPageHeader, PageKey, PageSummary } from '../page/page.js';
import { isName, type PageLimits } from '../page/page-rules.js';

/** What final results are, without their pages. */
export interface ResultsHeader {
  readonly jobId: string;
  /** Histories behind the values. */
  readonly primaries: number;
  /** Tasks merged. */
  readonly taskCount: number;
  /** Not all tasks of the job are in, or some failed. */
  readonly isPartial: boolean;
  readonly engine: string;
  /** Of all tasks, each once. */
  readonly warnings: readonly OutputWarning[];
  /** Of the job's merge that makes them; absent: of none, or not known. */
  readonly mergeNumber?: number | undefined;
}

/** What is stored for a job by now; `version` changes whenever the content does. */
export interface StoredResults extends ResultsHeader {
  readonly version: string;
  /** What the job simulates, and as what it was submitted; absent: it is not known. */
  readonly description?: JobDescription | undefined;
}

/** A page of final results as its sender describes it. */
export interface FinalPageHeader extends EstimatorPageHeader {
  /** Bins in which a simulator gave a number that is not finite. */
  readonly nonFiniteCount: number;
  /** What its sender says of it besides: the text of a JSON object. */
  readonly metadataJson?: string;
  /** No errors follow its values. */
  readonly hasNoErrors: boolean;
}

/** First part of final results. */
export interface ResultsUploadHeader extends ResultsHeader {
  /** Pages that follow, if the sender said. */
  readonly pageCount: number | undefined;
}

/** @throws ServiceError UPLOAD_INVALID naming what is wrong */
export function checkResultsHeader(header: ResultsHeader, limits: PageLimits): void {
  const isRight =
    Number.isSafeInteger(header.primaries) &&
    header.primaries >= 0 &&
    header.taskCount >= 0 &&
    header.engine !== '' &&
    isName(header.engine, limits);
  if (!isRight) throw fail('UPLOAD_INVALID', { message: 'The results have impossible primaries, tasks or engine' });
  if (!areWarnings(header.warnings)) {
    throw fail('UPLOAD_INVALID', { message: `The results have a malformed warning, or more than ${WARNINGS_MAX}` });
  }
}

/**
 * A page of final results as it is stored, without its bytes: values and bin centres of each axis, standard errors where
 * there are any, all little-endian float64, and the text of its metadata.
 */
export interface FinalPage extends PageKey {
  readonly estimatorName: string;
  readonly fileName: string;
  readonly pageName: string;
  readonly unit: string;
  readonly axes: readonly { readonly name: string; readonly unit: string; readonly size: number }[];
  /**
   * Bins along a last axis that only numbers them, from 1, of which nothing is stored: of a list its records, its one axis being
   * the columns of a record.
   */
  readonly recordCount?: number;
  /** They are not records. */
  readonly hasNumberedBins?: true;
  readonly nonFiniteCount: number;
  /** What is read off it (packages/merge, readings); absent: nothing. */
  readonly readings?: readonly Reading[];
  /** False: all are unknown, and none is stored. */
  readonly hasErrors: boolean;
  /** 0: there is none. */
  readonly metadataBytes: number;
}

/** Places of the parts of a final page, from its first byte. */
export function finalPagePlaces({ axes, recordCount = 1, hasErrors, metadataBytes }: FinalPage) {
  const bins = axes.reduce((product, { size }) => product * size, recordCount);
  const centers = bins * BYTES_PER_NUMBER;
  const errors = centers + axes.reduce((sum, { size }) => sum + size, 0) * BYTES_PER_NUMBER;
  const metadata = errors + (hasErrors ? bins * BYTES_PER_NUMBER : 0);
  return { bins, centers, errors, metadata, end: metadata + metadataBytes };
}

/** A final page of these, without what only its numbers tell. */
export function describeFinalPage(header: EstimatorPageHeader & { readonly metadataJson?: string }): FinalPage {
  const { estimatorIndex, estimatorName, fileName, pageNumber, pageName, unit, axes, metadataJson } = header;
  const { numberedBins, recordCount = numberedBins } = header;
  return {
    estimatorIndex,
    estimatorName,
    fileName,
    pageNumber,
    pageName,
    unit,
    axes: axes.map(({ name, unit: axisUnit, centers }) => ({ name, unit: axisUnit, size: centers.length })),
    ...(recordCount === undefined ? {} : { recordCount }),
    ...(numberedBins === undefined ? {} : { hasNumberedBins: true }),
    nonFiniteCount: 0,
    hasErrors: false,
    metadataBytes: Buffer.byteLength(metadataJson ?? ''),
  };
}

export function summarizeFinalPage(page: FinalPage): PageSummary {
  const { estimatorIndex, estimatorName, pageNumber, pageName, axes, recordCount, nonFiniteCount } = page;
  const sizes = axes.map(({ size }) => size);
  const all = recordCount === undefined ? sizes : [...sizes, recordCount];
  return { estimatorIndex, estimatorName, pageNumber, pageName, sizes: all, nonFiniteCount };
}
