import type { AccessStore } from '../access/access-ports.js';
import type { SubscriptionStore } from '../notify/subscription.js';
import type { JobStore, RunnerStore, SubmissionStore } from '../ports.js';
import type { WebhookStore } from '../webhook/webhook.js';

/** How long a user sees what a webhook was told. */
const DELIVERY_MEMORY_MS = 14 * 24 * 60 * 60_000;

export interface CleanUpPorts {
  readonly submissions: Pick<SubmissionStore, 'deleteExpiredKeys'>;
  readonly subscriptions: Pick<SubscriptionStore, 'forgetOrphans'>;
  readonly webhooks: Pick<WebhookStore, 'forgetEnded'>;
  readonly jobs: Pick<JobStore, 'compactCounts'>;
  readonly access: Pick<AccessStore, 'deleteExpiredShares'>;
  readonly runners: Pick<RunnerStore, 'deleteExpired'>;
}

/** Forgets idempotency keys, shares and runners that are over, and subscriptions to jobs that are gone, and folds the ledger. */
export async function cleanUp({
  submissions,
  subscriptions,
  webhooks,
  jobs,
  access,
  runners,
}: CleanUpPorts): Promise<void> {
  await submissions.deleteExpiredKeys();
  await access.deleteExpiredShares();
  await runners.deleteExpired();
  await jobs.compactCounts();
  await subscriptions.forgetOrphans();
  await webhooks.forgetEnded(DELIVERY_MEMORY_MS);
}
