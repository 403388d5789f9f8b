import { jobs } from '@tally/contracts';
import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { subscriptionsResponse } from '../../../schemas/subscription.js';

const { SUBSCRIPTION_SCOPE_JOB, SUBSCRIPTION_SCOPE_SWEEP, SUBSCRIPTION_SCOPE_GROUP } = jobs.SubscriptionScope;
const SCOPES = new Map([
  [SUBSCRIPTION_SCOPE_JOB, 'job'],
  [SUBSCRIPTION_SCOPE_SWEEP, 'sweep'],
  [SUBSCRIPTION_SCOPE_GROUP, 'group'],
]);

/** GET /user/subscriptions: what the user wants to be told. */
export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/user/subscriptions',
  auth: 'session',
  summary: 'What you want to be told',
  responses: { 200: { description: 'The newest first', schema: subscriptionsResponse } },
  handle: async ({ call }, { jobs: service }) => {
    const { subscriptions } = await service.listSubscriptions({}, call);
    return answer({
      message: 'Subscriptions',
      subscriptions: subscriptions.map(({ scope, target, hasMail, hasWebhooks }) => ({
        scope: SCOPES.get(scope) ?? 'all',
        ...(target === '' ? {} : { target }),
        channels: [...(hasMail ? ['mail'] : []), ...(hasWebhooks ? ['webhooks'] : [])],
      })),
    });
  },
});
