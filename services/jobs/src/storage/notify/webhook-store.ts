import type { WebhookStore } from '../../domain/webhook/webhook.js';
import type { Database } from '../database.js';
import {
  deleteEndedDeliveries,
  disableWebhook,
  insertDeliveries,
  insertWebhook,
  listDeliveries,
  settleDelivery,
  takeDueDeliveries,
} from '../statements/notify/webhooks.js';

/** An answer is kept up to here. */
const ANSWER_LENGTH_MAX = 300;

export function createWebhookStore(database: Database): WebhookStore {
  const { client } = database;
  return {
    create: async (userId, webhook, perUserMax) =>
      (await database.run(insertWebhook(userId, webhook, perUserMax))) === 1,
    list: async (userId, deliveriesMax) => {
      const [hooks, deliveries] = await Promise.all([
        client.webhook.findMany({
          where: { userId },
          select: { id: true, url: true, createdAt: true, disabledAt: true, disabledReason: true },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        }),
        database.rows(listDeliveries(userId, deliveriesMax)),
      ]);
      return hooks.map((hook) => ({
        ...hook,
        deliveries: deliveries.filter(({ webhookId }) => webhookId === hook.id),
      }));
    },
    remove: async (userId, id) => (await client.webhook.deleteMany({ where: { userId, id } })).count === 1,
    enable: async (userId, id) => {
      const data = { disabledAt: null, disabledReason: null };
      return (await client.webhook.updateMany({ where: { userId, id }, data })).count === 1;
    },
    tell: async (told, eventId, body) => (await database.rows(insertDeliveries(told, eventId, body))).length,
    takeDue: (rowsMax, holdMs) => database.rows(takeDueDeliveries(rowsMax, holdMs)),
    settle: async ({ id, webhookId }, { kind, answer }, retryMs) => {
      const words = answer.slice(0, ANSWER_LENGTH_MAX);
      await database.run(settleDelivery(id, words, kind !== 'retry', kind === 'delivered', retryMs));
      if (kind === 'gone') await database.run(disableWebhook(webhookId, words));
    },
    reseal: async (id, sealedSecret) => {
      await client.webhook.updateMany({ where: { id }, data: { sealedSecret } });
    },
    forgetEnded: async (afterMs) => {
      await database.run(deleteEndedDeliveries(afterMs));
    },
  };
}
