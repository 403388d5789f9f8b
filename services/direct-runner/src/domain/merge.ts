import type { Failure } from './errors.js';
import type { JobId } from './task.js';

/** What jobs gives a runner that has claimed a merge. */
export interface MergeOrder {
  readonly mergeId: string;
  readonly jobId: JobId;
  /** Tasks whose output counts, ascending. */
  readonly taskIds: readonly number[];
  /** Some tasks failed: the results are marked partial. */
  readonly isPartial: boolean;
  /** The job was stopped: the results say so. */
  readonly isStopped: boolean;
  /** Of the job's merges: results of a later one stay; undefined: jobs does not say. */
  readonly number: number | undefined;
  /** Of these pages the error is to be told with the end of the merge; no page number: of all pages. */
  readonly errorPages: { readonly estimatorName: string; readonly pageNumber: number | undefined } | undefined;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** How a merge ended. `released`: handed back unfinished. */
export type MergeEnd =
  /** `relativeError` undefined: not asked for, or not known. */
  | { readonly kind: 'merged'; readonly relativeError: number | undefined }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'released' };
