import { z } from 'zod';

const month = z
  .string()
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM')
  .meta({ description: 'YYYY-MM, UTC' });

/** Query of GET /admin/usage. */
export const allUsageQuery = z.object({
  from: month.optional().meta({ description: 'First month, YYYY-MM, UTC; the last one unless given' }),
  to: month
    .optional()
    .meta({ description: 'Last month, at most the 12th from the first one; this month unless given' }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: '`csv`: a line for each month and user' }),
});

export const allUsageResponse = z.object({
  message: z.string(),
  from: z.string(),
  to: z.string(),
  usage: z
    .array(
      z.object({
        month: z.string(),
        user_id: z.int().min(1),
        username: z.string().meta({ description: 'Empty: the account is deleted' }),
        processor_seconds: z.number().min(0),
        stored_bytes: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'What is stored of the user now; null in months that are over: it was not kept' }),
      }),
    )
    .meta({ description: 'The newest month first; of a month those first who have used most' }),
});
