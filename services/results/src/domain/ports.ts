import type { OutputWarning } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import type { DocumentRole, InputDocument, InputHeader, InputKind, InputNotes } from './input/input.js';
import type { LogChange, LogContinuation, LogKey, LogSnapshot } from './log/logfile.js';
import type { TaskOutputHeader } from './output/task-output.js';
import type { EstimatorPageHeader, PageKey, PageSummary } from './page/page.js';
import type { KnownPages, PagesChange } from './page/page-agreement.js';
import type { OutputLayout } from './page/page-set.js';
import type { PageSource } from './page/page-view.js';
import type { FinalPage, ResultsHeader, StoredResults } from './result/result.js';

/*
 * What results needs of its database. Stores know no rule: what is decided is decided by the functions that they are given,
 * on what they have loaded and locked.
 */

/** Bytes of something stored, in pieces of at most 256 KiB. @throws ServiceError CHANGED_WHILE_READ while reading */
export type StoredBytes = AsyncIterable<Uint8Array>;

/**
 * Bytes to be stored, as they are made, each piece with its place; returns what is known of them when all are made. At any
 * time no more than a few regions are being written, each from its start to its end.
 */
export type ContentMaker<Made> = AsyncGenerator<{ readonly at: number; readonly bytes: Uint8Array }, Made>;

/** Who owns a job, what it is, and what is to be said of its input. */
export interface StoredJob extends InputNotes {
  readonly ownerId: bigint;
  readonly kind: InputKind;
}

/** A document's place among the bytes of an input. */
export interface StoredDocument extends InputDocument {
  readonly role: DocumentRole;
  readonly sizeBytes: number;
  /** Of its gzip member. */
  readonly gzipBytes: number;
}

/** What is stored of a job, bytes. */
export interface JobBytes {
  readonly jobId: string;
  readonly inputBytes: bigint;
  readonly resultsBytes: bigint;
  readonly logsBytes: bigint;
}

/** What is stored of the jobs of a user, bytes. */
export interface OwnerBytes {
  readonly ownerId: bigint;
  readonly storedBytes: bigint;
}

/** Jobs and their inputs. */
export interface InputStore {
  /**
   * Stores a job with its input whole, or nothing if the maker fails. A job that is there already stays as it is: false.
   * @param gzip - makes one gzip member of all documents in turn, and returns what they are
   */
  create(header: InputHeader, gzip: ContentMaker<readonly StoredDocument[]>): Promise<boolean>;
  /** Undefined: there is no such job. */
  findJob(jobId: string): Promise<StoredJob | undefined>;
  /** With its input; `gzip` as it was given to {@link create}. */
  openInput(
    jobId: string,
  ): Promise<(StoredJob & { documents: readonly StoredDocument[]; gzip: StoredBytes }) | undefined>;
  /** Removes everything of a job. */
  deleteJob(jobId: string): Promise<void>;
  /** Removes results and outputs of tasks of a job. */
  deleteResults(jobId: string): Promise<void>;
  /** Removes logs of a job. */
  deleteLogs(jobId: string): Promise<void>;
  /** Of those jobs that are there. */
  listBytes(jobIds: readonly string[]): Promise<readonly JobBytes[]>;
  /** Of each user who has jobs. */
  listOwnerBytes(): Promise<readonly OwnerBytes[]>;
  /** Gives those of the jobs that are a user's to another. */
  updateOwner(jobIds: readonly string[], ownerId: bigint, newOwnerId: bigint): Promise<void>;
}

/** What users have stored. */
export interface UsageStore {
  /** Contents of inputs, outputs of tasks, results and logs of a user's jobs, as they are stored, bytes. */
  readStoredBytes(ownerId: bigint): Promise<number>;
}

/** An output to be stored, without its bytes. */
export interface NewTaskOutput extends OutputLayout {
  readonly header: TaskOutputHeader;
}

/** A task's stored output without its bytes. */
export interface StoredTaskOutput extends OutputLayout {
  /** Another one whenever the task's output is put again. */
  readonly outputId: bigint;
  readonly taskId: number;
  readonly primaries: number;
  readonly batches: number;
  readonly engine: string;
  readonly warnings: readonly OutputWarning[];
  /** The store's own. */
  readonly blobId: bigint | undefined;
  /** The store's own: all of its bytes, where they are few and came with it. */
  readonly content?: Uint8Array | undefined;
}

/** Bytes of an output from one place up to, not including, another. */
export interface OutputRange {
  readonly output: StoredTaskOutput;
  readonly from: number;
  readonly to: number;
}

/** A page of the job that its outputs have stored. */
export interface StoredPage extends PageSummary {
  /** The store's own: what the page is, where it is short and came with it. */
  readonly header?: EstimatorPageHeader | undefined;
}

/** Outputs of tasks. */
export interface TaskOutputStore {
  /**
   * Stores the output whole, in place of an earlier one of the same task, or nothing if maker or decision fail.
   * @param decide - on what is stored of the job's pages, locked until it is stored
   * @param log - stored with a small output, when nothing stands against it
   * @throws ServiceError JOB_NOT_FOUND
   */
  put<Output extends NewTaskOutput>(
    jobId: string,
    content: ContentMaker<Output>,
    decide: (known: KnownPages, output: Output) => PagesChange,
    log?: LogContinuation,
  ): Promise<{ readonly isLogAppended: boolean }>;
  /** In ascending task number; empty `taskIds`: all that are stored. */
  listOutputs(jobId: string, taskIds: readonly number[]): Promise<StoredTaskOutput[]>;
  /** The same, and all pages of the job in order of estimator and page number; lists without their records. */
  listOutputsAndPages(
    jobId: string,
    taskIds: readonly number[],
  ): Promise<{ readonly outputs: StoredTaskOutput[]; readonly pages: StoredPage[] }>;
  /** What these pages are, lists without their number of records; the ones that are not there are left out. */
  listPageHeaders(jobId: string, pages: readonly (PageKey | StoredPage)[]): Promise<EstimatorPageHeader[]>;
  /** The bytes of each range, in memory. @throws ServiceError CHANGED_WHILE_READ */
  readRanges(ranges: readonly OutputRange[]): Promise<Uint8Array[]>;
}

/** What a task tells in one call: its output, the next text of its log, or both. */
export interface TaskReport {
  readonly output?: NewTaskOutput & { readonly content: Uint8Array };
  readonly log?: LogContinuation;
}

/** What is stored without a decision when nothing stands against it; those of several tasks in one commit. Outputs are small. */
export interface TaskReportStore {
  /**
   * False: not stored, because it takes a decision: the job has no output with these pages yet, and then its log is not
   * stored either, the task's earlier output is large, or the log does not go on as the text says.
   */
  save(report: TaskReport): Promise<{ readonly isOutputStored: boolean; readonly isLogAppended: boolean }>;
}

/** A final page that can be read; `readRanges` as `read`. */
export interface ReadableFinalPage extends PageSource {
  /** Its bytes, see {@link FinalPage}. */
  read(): StoredBytes;
}

/** Final results. */
export interface ResultStore {
  /**
   * Stores results whole, in place of earlier ones, or nothing if the maker fails.
   * @param content - makes the bytes of all pages in turn
   * @throws ServiceError JOB_NOT_FOUND, MERGE_REPLACED when those of a later merge are there
   */
  put(header: ResultsHeader, content: ContentMaker<{ pages: readonly FinalPage[]; version: string }>): Promise<void>;
  /** The job with its final results if it has any; pages in order of estimator and page number. Undefined: no such job. */
  open(
    jobId: string,
  ): Promise<
    (StoredJob & { results: (StoredResults & { pages: readonly ReadableFinalPage[] }) | undefined }) | undefined
  >;
}

/** Logs of tasks, and what else workers call a log. */
export interface LogStore {
  /**
   * Stores what `decide` says of each of these logs, all or nothing, one change of a log after the other.
   * @param keys - no two alike
   * @param decide - on what is stored of the log of a key, locked; undefined: nothing changes
   * @throws ServiceError JOB_NOT_FOUND
   */
  change(
    jobId: string,
    keys: readonly LogKey[],
    decide: (index: number, snapshot: LogSnapshot) => LogChange | undefined,
  ): Promise<void>;
  /** The job's logs in ascending task number, then named ones as they came. */
  list(jobId: string): AsyncIterable<StoredLog>;
}

/** A log as it is stored. */
export interface StoredLog {
  readonly key: LogKey;
  /** Of the text that came in, with what was cut out of it. */
  readonly totalBytes: number;
  /** The stored text from one byte up to, not including, another. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Makes of the text of a page what is sent of it: text, and long lists of numbers as they are; a list begins behind text. */
export type EncodePage = (parts: AsyncIterable<TextPart>) => AsyncIterable<TextPart>;
