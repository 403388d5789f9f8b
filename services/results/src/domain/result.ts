import { type OutputWarning, WARNINGS_MAX } from '@tally/merge';
import { fail } from './errors.js';
import type { EstimatorPageHeader } from './page.js';
import { isName, type PageLimits } from './page-rules.js';
import { areWarnings } from './task-output.js';

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
}

/** What is stored for a job by now; `version` changes whenever the content does. */
export interface StoredResults extends ResultsHeader {
  readonly version: string;
}

/** A page of final results, with what the merging of it found. */
export interface FinalPageHeader extends EstimatorPageHeader {
  /** Bins in which a simulator gave a number that is not finite. */
  readonly nonFiniteCount: number;
  /** What its sender says of it besides: the text of a JSON object. */
  readonly metadataJson?: string;
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
