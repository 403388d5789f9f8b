import type { jobs } from '@tally/contracts';
import { answer } from '../../../answer/answer.js';
import { toTimestamp } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { webhooksResponse } from '../../../schemas/subscription.js';

const toDelivery = ({ eventId, createdAt, endedAt, isDelivered, tryCount, answer: last }: jobs.WebhookDelivery) => ({
  event_id: eventId,
  created_at: toTimestamp(createdAt, 'created_at'),
  state: endedAt === undefined ? 'waiting' : isDelivered ? 'delivered' : 'given_up',
  tries: tryCount,
  answer: last,
});

/** GET /user/webhooks: webhooks, and what they were told last. */
export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/user/webhooks',
  auth: 'session',
  summary: 'Your webhooks',
  responses: { 200: { description: 'The newest first', schema: webhooksResponse } },
  handle: async ({ call }, { jobs: service }) => {
    const { webhooks, isEnabled } = await service.listWebhooks({}, call);
    return answer({
      message: 'Webhooks',
      webhooks_available: isEnabled,
      webhooks: webhooks.map(({ webhookId, url, createdAt, disabledAt, disabledReason, deliveries }) => ({
        webhook_id: webhookId,
        url,
        created_at: toTimestamp(createdAt, 'created_at'),
        ...(disabledAt === undefined ? {} : { disabled: { since: disabledAt.toISOString(), reason: disabledReason } }),
        deliveries: deliveries.map(toDelivery),
      })),
    });
  },
});
