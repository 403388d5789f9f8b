import { SUBSCRIPTION_SCOPES } from '@tally/contracts';
import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { messageResponse } from '../../../schemas/message.js';
import { subscriptionUpdate } from '../../../schemas/subscription.js';

/** PUT /user/subscriptions: to be told when jobs end. */
export const putSubscription = defineRoute({
  method: 'PUT',
  path: '/user/subscriptions',
  auth: 'session',
  summary: 'Be told when jobs end',
  description: 'In the place of what was said for the same scope and target. You are told of what ends from now on.',
  body: subscriptionUpdate,
  responses: {
    200: { description: 'Kept', schema: messageResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
    429: { description: 'Too many jobs, sweeps and groups' },
  },
  handle: async ({ body: { scope, target = '', channels }, call }, { jobs: service }) => {
    const [hasMail, hasWebhooks] = [channels.includes('mail'), channels.includes('webhooks')];
    await service.putSubscription(
      { subscription: { scope: SUBSCRIPTION_SCOPES[scope], target, hasMail, hasWebhooks } },
      call,
    );
    return answer({ message: hasMail || hasWebhooks ? 'You will be told' : 'You will not be told' });
  },
});
