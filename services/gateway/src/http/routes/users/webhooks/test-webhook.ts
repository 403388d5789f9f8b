import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { messageResponse } from '../../../schemas/message.js';
import { webhookRef } from '../../../schemas/subscription.js';

/** POST /user/webhooks/test: a message of the type `test`. */
export const testWebhook = defineRoute({
  method: 'POST',
  path: '/user/webhooks/test',
  auth: 'session',
  summary: 'Send a test to a webhook',
  description: 'A webhook that was disabled is called again.',
  body: webhookRef,
  responses: {
    202: { description: 'A test is on its way; GET /user/webhooks has the answer', schema: messageResponse },
    404: { description: 'No such webhook' },
  },
  handle: async ({ body: { webhook_id: webhookId }, call }, { jobs }) => {
    await jobs.testWebhook({ webhookId }, call);
    return answer({ message: 'A test is on its way' }, 202);
  },
});
