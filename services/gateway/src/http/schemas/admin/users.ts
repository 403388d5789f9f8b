import { z } from 'zod';
import { timestamp } from '../job.js';
import { plainText, queryInteger } from '../parameters.js';
import { queryUserId, reason, userId } from './jobs.js';

export const userStateName = z.enum(['active', 'blocked', 'deleted']);

/** Query of GET /admin/users. */
export const usersQuery = z.object({
  search: plainText.max(128).default('').meta({ description: 'Part of the user name or display name; empty: all' }),
  user_id: queryUserId.optional(),
  state: userStateName.optional(),
  page_size: queryInteger(1, 1_000).default(50),
  page_idx: queryInteger(1, 1_000_000).default(1).meta({ description: 'Page, from 1' }),
});

export const usersResponse = z.object({
  message: z.string(),
  page_count: z.int().min(0),
  user_count: z.int().min(0),
  users: z.array(
    z.object({
      user_id: userId,
      username: z.string(),
      source: z.enum(['local', 'sso']),
      display_name: z.string(),
      state: userStateName,
      operator: z
        .boolean()
        .meta({ description: 'By AUTH_OPERATORS; who is one by a claim of the realm is not marked' }),
      created_at: timestamp,
      last_login_at: timestamp.nullable(),
      sessions: z.int().min(0).meta({ description: 'Live ones' }),
      tokens: z.int().min(0).meta({ description: 'Valid API tokens' }),
    }),
  ),
});

/** Body of an action on one user. */
export const userAction = z.object({ user_id: userId, reason });

/** Body of POST /admin/users/delete. */
export const deleteAction = userAction.extend({
  new_owner_id: userId
    .optional()
    .meta({ description: 'Who gets jobs, results, logs and projects; absent: they are removed' }),
});

/** Body of POST /admin/users/block. */
export const blockAction = z.object({
  user_id: userId,
  blocked: z.boolean().meta({ description: 'false: the user may log in again' }),
  reason,
});

export const endedResponse = z.object({
  message: z.string(),
  ended: z.int().min(0).meta({ description: 'Sessions and API tokens' }),
});

export const resetResponse = z.object({
  message: z.string(),
  link: z.string().meta({
    description:
      'Where the user sets a new password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once',
  }),
  expires_at: timestamp,
});

export const deletedResponse = endedResponse.extend({
  jobs: z.int().min(0).meta({ description: 'That the user had' }),
  projects: z.int().min(0).meta({ description: 'That the user had' }),
  new_owner: z
    .object({
      user_id: userId,
      username: z.string(),
      exceeded_quotas: z.array(z.object({ name: z.string(), limit: z.number(), used: z.number() })).meta({
        description: 'Of GET /limits, above which he is then: what he has stays, and his submissions are refused',
      }),
    })
    .optional()
    .meta({ description: 'Where what the user had is given to another' }),
});
