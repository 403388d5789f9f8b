import { z } from 'zod';
import { failed, inputTypeName, platformName, simulatorName, stateName, timestamp, waitingReason } from '../job.js';
import { jobId, plainText, queryInteger } from '../parameters.js';

/** Why an operator does it: it is in the trail. */
export const reason = plainText.max(500).regex(/\S/, 'is required').meta({ description: 'Why: it is in the trail' });

export const userId = z.int().min(1).meta({ description: 'Number of a user' });
export const queryUserId = queryInteger(1, 999_999_999_999_999).meta({ description: 'Number of a user' });

const stateNames = z
  .string()
  .transform((text) => (text.trim() === '' ? [] : text.split(',').map((name) => name.trim())))
  .pipe(z.array(z.union([stateName, z.literal('open')])).max(64));

/** Query of GET /admin/jobs. */
export const adminJobsQuery = z.object({
  page_size: queryInteger(1, 200).default(50).meta({ description: 'Jobs per page' }),
  before: queryInteger(1, 999_999_999_999_999)
    .optional()
    .meta({ description: '`next_before` of the page before; absent: the newest' }),
  job_id: plainText.max(128).optional().meta({ description: 'The job with this id' }),
  user: plainText
    .max(128)
    .optional()
    .meta({ description: 'Jobs of the local user, or the user of the realm, with this name' }),
  request_id: plainText.max(128).optional().meta({ description: 'Jobs that this request has submitted' }),
  job_state: stateNames
    .default([])
    .meta({ description: 'Comma-separated states, `open` for all that have not ended; empty: any' }),
  platform: platformName.optional(),
  cluster_name: plainText.max(128).optional(),
  runner_id: plainText.max(256).optional().meta({ description: 'Jobs with a task that this runner has' }),
  group_id: plainText.max(64).optional().meta({ description: 'Jobs of this group' }),
});

export const adminJobsResponse = z.object({
  message: z.string(),
  jobs: z.array(
    z.object({
      job_id: z.string(),
      simulation_id: z.int().min(1),
      user_id: userId,
      username: z.string().meta({ description: 'Empty: the user is not there any more' }),
      title: z.string(),
      job_state: stateName,
      platform: platformName,
      sim_type: simulatorName,
      input_type: inputTypeName,
      executable: z
        .string()
        .optional()
        .meta({ description: 'What runners must have; absent: the built-in engine, or a cluster' }),
      cluster_name: z.string().optional(),
      request_id: z.string().optional().meta({ description: 'That submitted it' }),
      start_time: timestamp,
      end_time: timestamp.nullable(),
      tasks: z.object({
        all: z.int().min(0),
        pending: z.int().min(0),
        running: z.int().min(0),
        failed: z.int().min(0),
      }),
      runner_ids: z.array(z.string()).meta({ description: 'That have its tasks at this moment' }),
      waiting_reason: waitingReason.optional(),
      ...failed.partial().shape,
    }),
  ),
  next_before: z.int().min(1).optional().meta({ description: 'For the next page; absent: this is the last one' }),
});

export const LOAD_KEY_NAMES = ['user', 'cluster', 'runner', 'simulator', 'reason', 'group'] as const;

/** Query of GET /admin/load. */
export const loadQuery = z.object({
  by: z.enum(LOAD_KEY_NAMES).default('user').meta({ description: 'By what it is summed up' }),
});

export const loadResponse = z.object({
  message: z.string(),
  loads: z.array(
    z.object({
      key: z.string().meta({
        description:
          'Name of the user, group, cluster, runner or simulator, or the reason that jobs wait for; of no group empty',
      }),
      user_id: userId.optional(),
      group_id: z.string().optional(),
      open_jobs: z.int().min(0),
      running_tasks: z.int().min(0),
      pending_tasks: z.int().min(0),
      oldest_start_time: timestamp.optional().meta({ description: 'Submission of the oldest open job' }),
    }),
  ),
});

/** Body of an action on one job. */
export const jobAction = z.object({ job_id: jobId, reason });

/** Body of POST /admin/jobs/fail. */
export const failAction = z.object({
  job_id: jobId,
  reason: reason.meta({ description: 'Why: the owner of the job reads it, and it is in the trail' }),
});

export const retryResponse = z.object({
  message: z.string(),
  job_state: stateName,
  tasks: z.int().min(1).meta({ description: 'That run again' }),
});
