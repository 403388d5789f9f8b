import type { OutputWarning } from '@tally/merge';
import type { DocumentRole, InputDocument, InputHeader, InputKind } from './input.js';
import type { LogKey, LogPiece } from './logfile.js';
import type { EstimatorPageHeader, PageKey, PageSummary } from './page.js';
import type { ResultsHeader, StoredResults } from './result.js';
import type { PageSelection } from './selection.js';
import type { TaskOutputHeader } from './task-output.js';
import type { ThingEvent } from './upload.js';

/** Bytes of something stored, in pieces of at most 256 KiB. @throws ServiceError CHANGED_WHILE_READ while reading */
export type StoredBytes = AsyncIterable<Uint8Array>;

/** Jobs and their inputs. */
export interface InputStore {
  /** Stores job and input whole, or nothing if the events fail. A job that is there already stays as it is: false. */
  create(header: InputHeader, documents: AsyncIterable<ThingEvent<InputDocument>>): Promise<boolean>;
  /** Undefined: there is no such job. */
  findJob(jobId: string): Promise<{ ownerId: bigint; kind: InputKind } | undefined>;
  /** In the order in which they were sent; `gzip` is one gzip member each. */
  listDocuments(
    jobId: string,
    roles: readonly DocumentRole[],
  ): Promise<{ document: InputDocument; gzip: StoredBytes }[]>;
  /** Removes everything of a job. */
  deleteJob(jobId: string): Promise<void>;
}

/** A task's stored output without its pages. */
export interface StoredTaskOutput {
  /** Another one whenever the task's output is put again. */
  readonly outputId: bigint;
  readonly taskId: number;
  readonly primaries: number;
  readonly batches: number;
  readonly engine: string;
  readonly warnings: readonly OutputWarning[];
}

/** Outputs of tasks. */
export interface TaskOutputStore {
  /**
   * Stores the output whole, in place of an earlier one of the same task, or nothing if the events fail.
   * @throws ServiceError JOB_NOT_FOUND, PAGE_MISMATCH; UPLOAD_TOO_LARGE when the job's lists would be longer than a page
   */
  put(output: TaskOutputHeader, pages: AsyncIterable<ThingEvent<EstimatorPageHeader>>): Promise<void>;
  /** In ascending task number; empty `taskIds`: all that are stored. */
  listOutputs(jobId: string, taskIds: readonly number[]): Promise<StoredTaskOutput[]>;
  /** Pages of these outputs in order of estimator and page number. */
  listPages(jobId: string, outputIds: readonly bigint[], selection: PageSelection): Promise<PageSummary[]>;
  /** What these pages are, lists without their number of records; the ones that are not there are left out. */
  listPageHeaders(jobId: string, pages: readonly PageKey[]): Promise<EstimatorPageHeader[]>;
  /** A page's arrays as given by each of these outputs that has it, one output after the other in the given order. */
  readPage(page: PageKey, outputs: readonly StoredTaskOutput[]): AsyncIterable<TaskPageBytes>;
}
export type TaskPageBytes =
  | { readonly kind: 'task'; readonly output: StoredTaskOutput; readonly sizeBytes: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** What is known of a final page once all of it has come in. */
export interface FinalPageSummary {
  readonly nonFiniteCount: number;
}

/** Final results. */
export interface ResultStore {
  /**
   * Stores results whole, in place of earlier ones, or nothing if the events fail; each page's bytes are one gzip member.
   * @param version - asked for after the last event
   * @throws ServiceError JOB_NOT_FOUND
   */
  put(
    header: ResultsHeader,
    pages: AsyncIterable<ThingEvent<EstimatorPageHeader, FinalPageSummary>>,
    version: () => string,
  ): Promise<void>;
  find(jobId: string): Promise<{ resultId: bigint; results: StoredResults } | undefined>;
  /** In order of estimator and page number; `gzip` is one gzip member each. */
  listPages(resultId: bigint, selection: PageSelection): Promise<{ summary: PageSummary; gzip: StoredBytes }[]>;
}

/** Logs of tasks, and what else workers call a log. */
export interface LogStore {
  /** Appends what domain/logfile.ts says, one append to a log after the other. @throws ServiceError JOB_NOT_FOUND, LOGS_TOO_MANY */
  append(piece: LogPiece): Promise<void>;
  /** The job's logs: in ascending task number, then named ones as they came; with the length of the text that came in. */
  list(jobId: string): Promise<{ logId: number; key: LogKey; totalBytes: number }[]>;
  /** The stored part of a log's text from one byte up to, not including, another. */
  read(jobId: string, logId: number, from: number, to: number): AsyncIterable<Uint8Array>;
}
