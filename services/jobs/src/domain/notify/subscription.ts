import { fail, invalidField } from '../errors.js';
import type { JobId, UserId } from '../job.js';
import { requireOwn } from '../owned.js';
import type { JobStore } from '../ports.js';

/** Of which jobs somebody is told: every job of his, one job, one sweep, or every job of a group. */
export type SubscriptionScope = 'all' | 'job' | 'sweep' | 'group';

/** By what. */
export interface Channels {
  /** To the confirmed address of the user. */
  readonly hasMail: boolean;
  /** By all webhooks of the user. */
  readonly hasWebhooks: boolean;
}

/** That a user wants to be told when jobs end. */
export interface Subscription extends Channels {
  readonly scope: SubscriptionScope;
  /** Id of the job, sweep or group; empty: of all. */
  readonly target: string;
}

export interface SubscriptionStore {
  /**
   * Keeps a subscription in the place of the one with its key. A job is locked meanwhile: its end comes before, or finds the subscription.
   * @returns `full`: the user has `perUserMax` already; `missing`: the job is not the user's
   */
  put(
    userId: UserId,
    key: string,
    subscription: Subscription,
    perUserMax: number,
  ): Promise<'kept' | 'full' | 'missing'>;
  remove(userId: UserId, key: string): Promise<void>;
  /** The newest first. */
  list(userId: UserId, rowsMax: number): Promise<Subscription[]>;
  /** Forgets subscriptions to jobs that were deleted. */
  forgetOrphans(): Promise<void>;
}

export interface SubscriptionPorts {
  readonly subscriptions: SubscriptionStore;
  readonly jobs: Pick<JobStore, 'explainMiss'>;
}

/** Of one user. */
export const SUBSCRIPTIONS_MAX = 1_000;
const TARGET = /^[\x21-\x7e]{1,64}$/;

/**
 * Under what a subscription is looked for when a job ends (storage/statements/notify/subscriptions.ts). A sweep is of its owner: ids of sweeps
 * are the clients'.
 */
export function subscriptionKey(userId: UserId, { scope, target }: Pick<Subscription, 'scope' | 'target'>): string {
  return scope === 'job' || scope === 'group' ? `${scope}:${target}` : `${scope}:${userId}:${target}`;
}

/**
 * Lets a user be told when jobs of his or of a group of his end, or not any more. From then on: of what has ended before he is not told.
 * @param groups - that the user is in, with the role in each
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, REQUEST_INVALID, SUBSCRIPTIONS_EXCEEDED
 */
export async function putSubscription(
  { subscriptions, jobs }: SubscriptionPorts,
  userId: UserId,
  subscription: Subscription,
  groups: ReadonlyMap<string, string>,
): Promise<void> {
  const { scope, target, hasMail, hasWebhooks } = subscription;
  if (scope === 'all' ? target !== '' : !TARGET.test(target))
    throw invalidField('/target', 'is not an id of that scope');
  const key = subscriptionKey(userId, subscription);
  if (!hasMail && !hasWebhooks) return subscriptions.remove(userId, key);
  if (scope === 'group' && !groups.has(target)) throw invalidField('/target', 'must be a group that you are in');
  const outcome = await subscriptions.put(userId, key, subscription, SUBSCRIPTIONS_MAX);
  if (outcome === 'full') throw fail('SUBSCRIPTIONS_EXCEEDED');
  if (outcome === 'missing') {
    const query = { jobId: target as JobId, ownerId: userId, platform: undefined };
    requireOwn({ kind: await jobs.explainMiss(query) });
  }
}
