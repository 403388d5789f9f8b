import { z } from 'zod';
import { plainText } from './parameters.js';

const channels = z
  .array(z.enum(['mail', 'webhooks']))
  .max(2)
  .meta({ description: '`mail`: to your confirmed address; `webhooks`: by all your webhooks' });
const scope = z.enum(['all', 'job', 'sweep']).meta({
  description: '`all`: every job of yours, and of a sweep once when its last job has ended; `job`: one; `sweep`: one',
});

/** Body of PUT /user/subscriptions. */
export const subscriptionUpdate = z
  .strictObject({
    scope,
    target: plainText.min(1).max(64).optional().meta({ description: 'Id of the job or sweep; not of `all`' }),
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
