import { z } from 'zod';
import { simulatorName } from './job.js';
import { problemResponse } from './message.js';

export const aboutResponse = z.object({ message: z.string(), name: z.literal('tally'), version: z.string() });

const dependencies = z.array(z.object({ name: z.string(), state: z.enum(['up', 'down']), latency_ms: z.int().min(0) }));
export const readyResponse = z.object({ message: z.string(), dependencies });
export const notReadyResponse = problemResponse.extend({ dependencies });

export const simulatorsResponse = z.object({
  message: z.string(),
  simulators: z.array(z.object({ sim_type: simulatorName, available: z.boolean(), engine: z.string() })),
});

const count = z.int().min(0);
export const limitsResponse = z.object({
  message: z.string(),
  limits: z.object({
    body_bytes_max: count,
    submission_bytes_max: count,
    results_bytes_max: count,
    result_numbers_max: count,
    result_pages_max: count,
    header_bytes_max: count,
    receive_timeout_ms: count,
    call_timeout_ms: count,
    submit_timeout_ms: count,
    stream_timeout_ms: count,
    event_streams_per_user_max: count,
    event_heartbeat_ms: count,
  }),
});
