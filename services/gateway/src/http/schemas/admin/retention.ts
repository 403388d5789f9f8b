import { z } from 'zod';
import { stateName, timestamp } from '../job.js';
import { queryInteger } from '../parameters.js';
import { reason, userId } from './jobs.js';

export const retainedName = z.enum(['jobs', 'results', 'logs']);
const endName = z.enum(['any', 'COMPLETED', 'FAILED', 'CANCELED']);

const rule = z.object({
  data: retainedName.meta({
    description: '`jobs`: all of a job; `results`: results and outputs of tasks; `logs`: logs',
  }),
  state: endName.default('any').meta({ description: 'Of jobs that have ended so, in place of the rule for `any`' }),
  after_days: z.int().min(1).max(36_500).meta({ description: 'Days after the end of the job' }),
});
const warningDays = z.int().min(1).max(365);

const RULES = 'data:state:days, comma-separated, such as logs:any:30,jobs:FAILED:90; absent: the rules that hold';

/** Query of GET /admin/retention. */
export const retentionQuery = z.object({
  rules: z
    .string()
    .regex(/^[a-z]+:[A-Za-z]+:\d{1,5}(,[a-z]+:[A-Za-z]+:\d{1,5}){0,11}$/, 'must be data:state:days, comma-separated')
    .transform((text) =>
      text.split(',').map((one): { data?: string | undefined; state?: string | undefined; after_days: number } => {
        const [data, state, after_days] = one.split(':');
        return { data, state, after_days: Number(after_days) };
      }),
    )
    .pipe(z.array(rule))
    .optional()
    .meta({ type: 'string', description: RULES }),
  warning_days: queryInteger(1, 365).default(14).meta({ description: 'Of the rules that are given' }),
  days: queryInteger(0, 3_650).default(30).meta({ description: 'What goes within so many days' }),
});

/** Body of PUT /admin/retention. */
export const retentionAction = z.object({
  rules: z.array(rule).max(12).meta({ description: 'In place of the earlier ones; empty: nothing is removed' }),
  warning_days: warningDays
    .default(14)
    .meta({ description: 'Nothing goes sooner than so many days after a change of the rules' }),
  reason,
});

export const retentionResponse = z.object({
  message: z.string(),
  rules: z.array(rule),
  warning_days: warningDays,
  set_at: timestamp.nullable().meta({ description: 'When they were set; null: they are not' }),
  sums: z.array(
    rule.extend({
      jobs: z.int().min(0),
      users: z.int().min(0),
      first_at: timestamp.meta({ description: 'When the first of it goes' }),
    }),
  ),
  removals: z
    .array(
      z.object({
        job_id: z.string(),
        title: z.string(),
        job_state: stateName,
        user_id: userId,
        username: z.string().meta({ description: 'Empty: the user is not there any more' }),
        data: retainedName,
        remove_at: timestamp.meta({ description: 'Then, or minutes later' }),
        bytes: z.number().min(0).meta({ description: 'That are stored of it, and go' }),
      }),
    )
    .meta({ description: 'The first that goes comes first; at most 1000' }),
  bytes: z.number().min(0).meta({ description: 'Of `removals`' }),
});

/** Query of GET /user/removals. */
export const removalsQuery = z.object({
  job_id: z.string().max(128).optional().meta({
    description: 'Only of this job, whenever it goes; absent: of all jobs, what goes within the days of warning',
  }),
});

export const removalsResponse = z.object({
  message: z.string(),
  removals: z.array(
    z.object({
      job_id: z.string(),
      data: retainedName,
      remove_at: timestamp.meta({ description: 'Then, or minutes later' }),
    }),
  ),
  results_removed_at: timestamp.optional().meta({ description: 'Of `job_id`; absent: they were not' }),
  logs_removed_at: timestamp.optional().meta({ description: 'Of `job_id`; absent: they were not' }),
});
