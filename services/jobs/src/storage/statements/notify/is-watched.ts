import { sql } from '@tally/service-kit';

/** Keys of subscriptions that a job may have (domain/notify/subscription.ts, subscriptionKey). */
export const SUBSCRIPTION_KEYS = sql`ARRAY['job:' || jobs.job_id, 'all:' || jobs.owner_id || ':',
  'sweep:' || jobs.owner_id || ':' || jobs.sweep_id, 'group:' || jobs.group_id]`;

/** Whether somebody wants to be told when a job ends: a probe of an index that is empty where nobody is told anything. */
export const IS_WATCHED = sql`EXISTS (SELECT 1 FROM subscriptions WHERE key = ANY(${SUBSCRIPTION_KEYS}))`;
