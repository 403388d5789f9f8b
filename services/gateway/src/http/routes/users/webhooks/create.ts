import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { webhookCreated, webhookRequest } from '../../../schemas/subscription.js';

/** POST /user/webhooks: where the user is told by HTTP. */
export const createWebhook = defineRoute({
  method: 'POST',
  path: '/user/webhooks',
  auth: 'session',
  summary: 'Make a webhook',
  description:
    'It is called when jobs end that you have subscribed to with the channel `webhooks` (`PUT /user/subscriptions`). Messages are signed as Standard Webhooks.',
  body: webhookRequest,
  responses: {
    201: { description: 'Its secret is shown this once', schema: webhookCreated },
    429: { description: 'Too many webhooks' },
  },
  handle: async ({ body: { url }, call }, { jobs }) => {
    const { webhookId, secret } = await jobs.createWebhook({ url }, call);
    return answer({ message: 'Webhook created', webhook_id: webhookId, secret }, 201);
  },
});
