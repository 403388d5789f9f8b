import { z } from 'zod';
import { timestamp } from './job.js';
import { plainText } from './parameters.js';

const channels = z
  .array(z.enum(['mail', 'webhooks']))
  .max(2)
  .meta({ description: '`mail`: to your confirmed address; `webhooks`: by all your webhooks' });
const scope = z.enum(['all', 'job', 'sweep', 'group']).meta({
  description:
    '`all`: every job of yours, and of a sweep once when its last job has ended; `job`: one; `sweep`: one; `group`: every job of a ' +
    'group while you are in it, of a sweep once',
});

/** Body of PUT /user/subscriptions. */
export const subscriptionUpdate = z
  .strictObject({
    scope,
    target: plainText.min(1).max(64).optional().meta({ description: 'Id of the job, sweep or group; not of `all`' }),
    channels: channels.meta({ description: 'By what you are told; none: not any more' }),
  })
  .superRefine(({ scope: kind, target }, ctx) => {
    if ((kind === 'all') === (target === undefined)) return;
    const message = kind === 'all' ? 'is not of all jobs' : 'is required';
    ctx.addIssue({ code: 'custom', path: ['target'], message });
  });

/** Answer of GET /user/subscriptions. */
export const subscriptionsResponse = z.object({
  message: z.string(),
  subscriptions: z.array(z.object({ scope, target: z.string().optional(), channels })),
});

/** Body of POST /user/webhooks. */
export const webhookRequest = z.object({
  url: plainText.min(1).max(2048).meta({ description: 'Where it leads: https, and no private address' }),
});
export const webhookCreated = z.object({
  message: z.string(),
  webhook_id: z.string(),
  secret: z.string().meta({ description: 'Signs its messages (Standard Webhooks); shown this once' }),
});

/** Query of DELETE /user/webhooks, and body of POST /user/webhooks/test. */
export const webhookRef = z.object({ webhook_id: plainText.min(1).max(64) });

export const webhooksResponse = z.object({
  message: z.string(),
  webhooks_available: z.boolean().meta({ description: 'Whether this deployment calls webhooks' }),
  webhooks: z.array(
    z.object({
      webhook_id: z.string(),
      url: z.string(),
      created_at: timestamp,
      disabled: z
        .object({ since: timestamp, reason: z.string() })
        .optional()
        .meta({ description: 'It is not called any more; a test calls it again' }),
      deliveries: z
        .array(
          z.object({
            event_id: z.string().meta({ description: 'Header `webhook-id`' }),
            created_at: timestamp,
            state: z.enum(['waiting', 'delivered', 'given_up']),
            tries: z.int().min(0),
            answer: z.string().meta({ description: 'Status of the last answer, or why there was none' }),
          }),
        )
        .meta({ description: 'The last ten' }),
    }),
  ),
});
