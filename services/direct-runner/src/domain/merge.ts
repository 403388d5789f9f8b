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
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** How a merge ended. `released`: handed back unfinished. */
export type MergeEnd =
  | { readonly kind: 'merged' }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'released' };
