import { z } from 'zod';
import { timestamp } from '../job.js';
import { plainText } from '../parameters.js';

const day = z.iso.date().meta({ description: 'YYYY-MM-DD, UTC' });

/** Query of GET /usage. */
export const usageQuery = z.object({
  from: day.optional().meta({ description: 'First day, YYYY-MM-DD, UTC; the first one of this month unless given' }),
  to: day.optional().meta({ description: 'Last day, at most 366 days later; today unless given' }),
  group_id: plainText
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'Of all jobs of this group, for its managers; your own unless given' }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: 'csv: a line for each day, user and cluster' }),
});

export const usageResponse = z.object({
  message: z.string(),
  from: z.string(),
  to: z.string(),
  processor_seconds: z.number().min(0).meta({ description: 'Of all days, user and system time' }),
  days: z
    .array(
      z.object({
        day: z.string(),
        user: z.string().meta({ description: 'Name; of who has no account any more the number' }),
        cluster: z.string().meta({ description: 'Name; empty: runners of the direct platform' }),
        processor_seconds: z.number().min(0),
      }),
    )
    .meta({
      description: 'Days on which something was counted; a task counts on the day of its end, with all its attempts',
    }),
  running: z
    .object({ tasks: z.int().min(0), processor_seconds: z.number().min(0) })
    .optional()
    .meta({ description: 'Your tasks that runners have, and what they have used so far: it counts when they end' }),
  stored_bytes: z.int().min(0).optional().meta({ description: 'Of your jobs, as of a minute ago or so' }),
  quotas: z
    .array(
      z.object({
        name: z.enum(['processor_seconds_month', 'stored_bytes', 'running_tasks']),
        limit: z.number().min(0),
        used: z.number().min(0).optional(),
        resets_at: timestamp.optional(),
      }),
    )
    .meta({ description: 'That hold for you, or for the group together' }),
});
