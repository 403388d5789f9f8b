import { z } from 'zod';
import { timestamp } from './job.js';
import { plainText } from './parameters.js';

const scopes = z
  .array(z.enum(['read', 'submit']))
  .min(1)
  .max(16);

const token = z.object({
  token_id: z.string(),
  name: z.string(),
  scopes,
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable().meta({ description: 'To the minute; null: never' }),
  ends_with_sessions: z.boolean(),
});

/** Body of POST /auth/tokens: unknown members are refused, a misspelt limit would be none. */
export const newToken = z.strictObject({
  name: plainText.min(1).max(128).meta({ description: 'What you call it, for example the machine it is for' }),
  scopes: scopes.meta({ description: '`read`: see what you see; `submit`: submit, change and delete jobs' }),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 instant, such as 2027-01-31T00:00:00Z' })
    .optional()
    .meta({
      description: 'In the future, at most a year unless the deployment says otherwise; 90 days from now unless given',
    }),
  ends_with_sessions: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether it ends when you end all your sessions or change your password' }),
});

export const createdTokenResponse = token.extend({
  message: z.string(),
  token: z.string().meta({ description: 'The token, shown this once; only its hash is kept' }),
});
export const tokensResponse = z.object({ message: z.string(), tokens: z.array(token) });

/** Query of DELETE /auth/tokens. */
export const tokenQuery = z.object({ token_id: plainText.min(1).max(128) });

/** Query of DELETE /auth/sessions. */
export const sessionQuery = z.object({
  session_id: plainText.min(1).max(128).optional().meta({ description: 'Only this one; all of yours unless given' }),
});

export const sessionsResponse = z.object({
  message: z.string(),
  sessions: z.array(
    z.object({ session_id: z.string(), created_at: timestamp, expires_at: timestamp, is_current: z.boolean() }),
  ),
});
