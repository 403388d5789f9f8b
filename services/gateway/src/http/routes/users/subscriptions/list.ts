import { nameOf, SUBSCRIPTION_SCOPES } from '@tally/contracts';
import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { subscriptionsResponse } from '../../../schemas/subscription.js';

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
        scope: nameOf(SUBSCRIPTION_SCOPES, scope) ?? 'all',
        ...(target === '' ? {} : { target }),
        channels: [...(hasMail ? ['mail'] : []), ...(hasWebhooks ? ['webhooks'] : [])],
      })),
    });
  },
});
