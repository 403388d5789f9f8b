import type { jobs } from '@tally/contracts';
import { actingUser, type Routes } from '@tally/service-kit';
import {
  createWebhook,
  DELIVERIES_SHOWN,
  deleteWebhook,
  testWebhook,
  type Webhook,
  type WebhookPorts,
} from '../domain/webhook/webhook.js';

const toWebhook = ({ id, url, createdAt, disabledAt, disabledReason, deliveries }: Webhook): jobs.Webhook => ({
  webhookId: id,
  url,
  createdAt,
  disabledAt: disabledAt ?? undefined,
  disabledReason: disabledReason ?? '',
  deliveries: deliveries.map((delivery) => ({ ...delivery, endedAt: delivery.endedAt ?? undefined })),
});

/** Webhooks of users. */
export const webhookRpcs = (ports: WebhookPorts) =>
  ({
    createWebhook: {
      callers: ['gateway'],
      handle: async ({ url }) => {
        const { id, secret } = await createWebhook(ports, actingUser(), url);
        return { webhookId: id, secret };
      },
    },
    listWebhooks: {
      callers: ['gateway'],
      handle: async () => ({
        webhooks: (await ports.webhooks.list(actingUser(), DELIVERIES_SHOWN)).map(toWebhook),
        isEnabled: ports.webhookRules.isEnabled,
      }),
    },
    deleteWebhook: {
      callers: ['gateway'],
      handle: async ({ webhookId }) => {
        await deleteWebhook(ports, actingUser(), webhookId);
        return {};
      },
    },
    testWebhook: {
      callers: ['gateway'],
      handle: async ({ webhookId }) => {
        await testWebhook(ports, actingUser(), webhookId);
        return {};
      },
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;
