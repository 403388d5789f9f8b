import { type jobs, nameOf, SUBSCRIPTION_SCOPES } from '@tally/contracts';
import { actingGroups, actingUser, type Routes } from '@tally/service-kit';
import { invalidField } from '../domain/errors.js';
import {
  putSubscription,
  SUBSCRIPTIONS_MAX,
  type Subscription,
  type SubscriptionPorts,
} from '../domain/notify/subscription.js';

/** @throws ServiceError REQUEST_INVALID */
function readSubscription(subscription: jobs.Subscription | undefined): Subscription {
  const scope = subscription && nameOf(SUBSCRIPTION_SCOPES, subscription.scope);
  if (subscription === undefined || scope === undefined) throw invalidField('/scope', 'is not a scope');
  const { target, hasMail, hasWebhooks } = subscription;
  return { scope, target, hasMail, hasWebhooks };
}

/** What users want to be told. */
export const subscriptionRpcs = (ports: SubscriptionPorts) =>
  ({
    putSubscription: {
      callers: ['gateway'],
      handle: async ({ subscription }) => {
        await putSubscription(ports, actingUser(), readSubscription(subscription), actingGroups());
        return {};
      },
    },
    listSubscriptions: {
      callers: ['gateway'],
      handle: async () => {
        const list = await ports.subscriptions.list(actingUser(), SUBSCRIPTIONS_MAX);
        const kept = list.filter(({ scope, target }) => scope !== 'group' || actingGroups().has(target));
        return { subscriptions: kept.map((one) => ({ ...one, scope: SUBSCRIPTION_SCOPES[one.scope] })) };
      },
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;
