import { z } from 'zod';
import { plainText } from '../parameters.js';
import { reason, userId } from './jobs.js';

const bound = (what: string) => z.number().min(0).nullable().default(null).meta({ description: what });
const SECONDS = 'Processor time in a calendar month of UTC, seconds; 0: no bound; null: none of its own';
const BYTES = 'What is stored of a user, bytes; 0: no bound; null: as the settings say';
const TASKS = 'Tasks that runners have at a time; 0: no bound; null: as the settings say';
const groupId = plainText.min(1).max(128);

/** What a user or group may have. */
export const quotaBounds = {
  processor_seconds_month: bound(SECONDS),
  stored_bytes: bound(BYTES),
  running_tasks: bound(TASKS),
};

/** Body of PUT /admin/quotas. */
export const quotaAction = z
  .object({
    user_id: userId.optional(),
    group_id: groupId.optional().meta({ description: 'In place of a user: all jobs of the group together' }),
    ...quotaBounds,
    reason,
  })
  .refine((body) => (body.user_id === undefined) !== (body.group_id === undefined), {
    path: ['user_id'],
    message: 'is required, or group_id, and not both',
  });

const shown = z.number().min(0).nullable();
/** The same as answers show it. */
export const shownQuota = { processor_seconds_month: shown, stored_bytes: shown, running_tasks: shown };

export const quotasResponse = z.object({
  message: z.string(),
  quotas: z.array(
    z.object({
      user_id: z.int().min(1).optional(),
      group_id: z.string().optional(),
      name: z.string().meta({ description: 'Of the user or group; empty: deleted' }),
      ...shownQuota,
    }),
  ),
});
