import { z } from 'zod';
import { failed, jobEndShape, stateName, taskStatus, timestamp, waitingReason } from './job.js';
import { jobId } from './parameters.js';

/** Headers of GET /jobs/events. An empty id is none, as in browsers. */
export const followHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{0,18}$/, 'must be the id of an event')
    .transform((text) => (text === '' ? undefined : BigInt(text)))
    .optional()
    .meta({ description: 'Id of the last event seen: the stream goes on after it' }),
});

/** Query of GET /jobs/events. */
export const followQuery = z.object({
  job_id: jobId.optional().meta({
    description:
      'Only what happens to this job, which may be one of others that you may see; all of yours unless given',
  }),
});

/** Data of `event: ready`, the first of a stream and the first after a gap. */
export const readyEvent = z.object({
  resumed: z.boolean().meta({
    description: 'false: changes before this event are not sent; read states with GET /jobs and /user/simulations',
  }),
});

/** Data of `event: job`: a job was submitted, or its state or what it waits for has changed. */
export const jobEvent = z.object({
  job_id: z.string(),
  job_state: stateName,
  ntasks: z.int().min(1),
  start_time: timestamp,
  end_time: timestamp.optional(),
  ...failed.partial().shape,
  ...jobEndShape,
  waiting_reason: waitingReason.optional(),
});

/** Data of `event: task`: state or progress of a task has changed. */
export const taskEvent = taskStatus.extend({ job_id: z.string() });

/** Data of `event: job_deleted`. */
export const jobDeletedEvent = z.object({ job_id: z.string() });

/** Data of an event by its name. */
export const EVENT_DATA = { ready: readyEvent, job: jobEvent, task: taskEvent, job_deleted: jobDeletedEvent } as const;
export type EventName = keyof typeof EVENT_DATA;

/** The stream as the document describes it: text of the format of server-sent events (WHATWG HTML 9.2). */
export const eventStream = z.string().meta({
  description:
    'Events `ready`, `job`, `task` and `job_deleted`; `data` is a JSON object, `id` is for Last-Event-ID. ' +
    'Lines that begin with a colon are heartbeats.',
});
