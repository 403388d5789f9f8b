import { z } from 'zod';
import { timestamp } from '../job.js';
import { plainText } from '../parameters.js';
import { reason, userId } from './jobs.js';

/** Body of POST /admin/classes. */
export const classRequest = z.object({
  name: plainText.min(1).max(100).meta({ description: 'Of the class and of its group' }),
  usernames: z
    .array(plainText.min(1).max(128))
    .min(1)
    .max(200)
    .meta({ description: 'User names of the students; none may be taken' }),
  ends_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .meta({ type: 'string', format: 'date-time', description: 'When it ends, within 366 days' }),
  at_end: z
    .enum(['block', 'delete'])
    .meta({ description: 'What becomes of the accounts then; `delete`: with all that is theirs' }),
  reason,
});

const listed = {
  class_id: z.string(),
  name: z.string(),
  group_id: z.string().meta({ description: 'The group of the students; the operator who made it manages it' }),
  created_at: timestamp,
  ends_at: timestamp,
  at_end: z.enum(['block', 'delete']),
  ended: z.boolean(),
};

export const classMadeResponse = z.object({
  message: z.string(),
  class: z.object(listed),
  invitations: z.array(
    z.object({
      user_id: userId,
      username: z.string(),
      link: z.string().meta({
        description:
          'Where the student sets a password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once',
      }),
      expires_at: timestamp,
    }),
  ),
});

export const classesResponse = z.object({
  message: z.string(),
  classes: z.array(
    z.object({
      ...listed,
      students: z.array(
        z.object({
          user_id: userId,
          username: z.string(),
          state: z.enum(['active', 'blocked', 'deleted']),
          last_login_at: timestamp.nullable().meta({ description: 'null: the student has not joined yet' }),
        }),
      ),
    }),
  ),
});
