import type { ClusterSettings } from '../cluster/cluster.js';
import type { ClusterSession } from '../ports.js';
import type { Submission } from '../submission.js';

/** A submission being worked on, over the connection of its user. */
export interface SubmitContext {
  readonly cluster: ClusterSettings;
  readonly session: ClusterSession;
  /** Login name of the session. */
  readonly username: string;
  readonly submission: Submission;
  /** Called before the scheduler may first know anything of it. */
  readonly onContactScheduler: () => void;
}

/** `pending`: nothing is wrong, but the scheduler has to be asked again after so long. */
export type AdvanceOutcome = { readonly kind: 'done' } | { readonly kind: 'pending'; readonly pollAfterMs: number };
export type Pending = Extract<AdvanceOutcome, { readonly kind: 'pending' }>;

/** How often the scheduler is asked for what it should show, milliseconds; sacct is up to 2.3 s behind. */
export const POLL_INTERVAL_MS = 2_000;
