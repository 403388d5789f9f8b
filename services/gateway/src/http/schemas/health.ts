import { z } from 'zod';
import { simulatorName } from './job.js';
import { problemResponse } from './message.js';

export const aboutResponse = z.object({ message: z.string(), name: z.literal('tally'), version: z.string() });

const dependencies = z.array(
  z.object({
    name: z.string(),
    state: z.enum(['up', 'down']),
    latency_ms: z.int().min(0),
    reason: z.string().optional().describe('Why it is down, in a sentence'),
  }),
);
export const readyResponse = z.object({ message: z.string(), dependencies });
export const notReadyResponse = problemResponse.extend({ dependencies });

export const simulatorsResponse = z.object({
  message: z.string(),
  simulators: z.array(z.object({ sim_type: simulatorName, available: z.boolean(), engine: z.string() })),
  confinement: z
    .array(z.enum(['none', 'bubblewrap', 'container']))
    .describe(
      'What keeps simulators of the direct platform from the rest of their machines, over all runners that live',
    ),
});

const count = z.int().min(0);
const quota = (what: string) => count.optional().meta({ description: `${what}; 0: no bound` });
export const limitsResponse = z.object({
  message: z.string(),
  limits: z.object({
    body_bytes_max: count,
    submission_bytes_max: count,
    project_bytes_max: count.meta({ description: 'JSON text of a project that is kept' }),
    results_bytes_max: count,
    result_numbers_max: count,
    result_pages_max: count,
    json_keys_max: count.meta({ description: 'Members of all objects of a body together' }),
    json_values_max: count.meta({ description: 'Objects, lists and what stands in them, of a body together' }),
    json_depth_max: count.meta({ description: 'Objects and lists inside one another' }),
    header_bytes_max: count,
    headers_timeout_ms: count,
    receive_timeout_ms: count,
    receive_rate_bytes_min: count.meta({
      description: 'Bytes a second; a body that comes more slowly is refused (408)',
    }),
    call_timeout_ms: count,
    submit_timeout_ms: count,
    stream_timeout_ms: count,
    event_streams_per_user_max: count,
    event_heartbeat_ms: count,
    open_jobs_per_user_max: quota('Jobs of a user that have not ended; one more is refused (429)'),
    open_tasks_per_user_max: quota('Tasks of those that have not ended; more are refused (429)'),
    queued_primaries_per_user_max: quota('Primaries of those that have not begun; more are refused (429)'),
    running_tasks_per_user_max: quota('Tasks of a user that runners have at a time; the others wait'),
    stored_bytes_per_user_max: quota(
      'Inputs, outputs, results and logs of a user, as they are stored, from which on new jobs are refused (429)',
    ),
    projects_per_user_max: quota('Projects that a user keeps; one more is refused (429)'),
    project_bytes_per_user_max: quota('All revisions of these, as they are stored; more are refused (429)'),
  }),
});
