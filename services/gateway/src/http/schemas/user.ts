import { z } from 'zod';
import { jobDescription } from './description.js';
import { inputTypeName, jobEndShape, platformName, simulatorName, stateName, sweep, timestamp } from './job.js';
import { jobLabels, jobSearch } from './jobs/labels.js';
import { plainText, queryInteger } from './parameters.js';
import { belongingShape, viewQuery } from './share.js';

const password = z.string().min(1).max(1024);

/** Body of POST /user/update: unknown keys are refused, because a misspelt change that does nothing looks done. */
export const userUpdate = z
  .strictObject({
    display_name: plainText.max(128).optional(),
    current_password: password.optional(),
    new_password: password.optional(),
  })
  .superRefine((body, ctx) => {
    const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (body.new_password !== undefined && body.current_password === undefined) {
      refuse('current_password', 'is required to change the password');
    } else if (body.display_name === undefined && body.new_password === undefined) {
      ctx.addIssue({ code: 'custom', path: [], message: 'nothing to change' });
    }
  });

/** Body of PUT /user/email. */
export const emailUpdate = z.strictObject({
  email: z.string().max(254).meta({ description: 'Empty: take the present address away' }),
});

/** Answer of GET /user/email. */
export const emailResponse = z.object({
  message: z.string(),
  email: z.string().nullable().meta({ description: 'Confirmed address; null: none' }),
  mail_available: z.boolean().meta({ description: 'Whether this deployment sends mail' }),
});

/** Comma-separated states; empty means no filter. */
const stateList = z
  .string()
  .transform((text) => (text.trim() === '' ? [] : text.split(',').map((name) => name.trim())))
  .pipe(z.array(stateName).max(64));

/** Query of GET /user/simulations. */
export const simulationsQuery = z.object({
  page_size: queryInteger(1, 100).default(6).meta({ description: 'Simulations per page' }),
  page_idx: queryInteger(1, 1_000_000_000).default(1).meta({ description: 'Page, from 1' }),
  order_by: z.enum(['start_time', 'end_time']).default('start_time'),
  order_type: z.enum(['ascend', 'descend']).default('descend'),
  job_state: stateList.default([]).meta({ description: 'Comma-separated states to keep; empty: all' }),
  search: jobSearch.optional(),
  ...viewQuery,
});

export const simulationsResponse = z.object({
  message: z.string(),
  page_count: z.int().min(0),
  simulations_count: z.int().min(0),
  simulations: z.array(
    z.object({
      job_id: z.string(),
      title: z.string(),
      start_time: timestamp,
      end_time: timestamp.nullable(),
      job_state: stateName,
      sim_type: simulatorName,
      input_type: inputTypeName,
      platform: platformName,
      ntasks: z.int().min(1),
      description: jobDescription.optional(),
      labels: jobLabels.optional(),
      sweep: sweep.optional(),
      ...belongingShape,
      ...jobEndShape,
    }),
  ),
});
