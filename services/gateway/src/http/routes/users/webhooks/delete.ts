import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { messageResponse } from '../../../schemas/message.js';
import { webhookRef } from '../../../schemas/subscription.js';

/** DELETE /user/webhooks: a webhook, and what it was to be told. */
export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/user/webhooks',
  auth: 'session',
  summary: 'Remove a webhook',
  query: webhookRef,
  responses: {
    200: { description: 'Removed', schema: messageResponse },
    404: { description: 'No such webhook' },
  },
  handle: async ({ query: { webhook_id: webhookId }, call }, { jobs }) => {
    await jobs.deleteWebhook({ webhookId }, call);
    return answer({ message: 'Webhook removed' });
  },
});
