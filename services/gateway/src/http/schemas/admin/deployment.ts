import { z } from 'zod';
import { platformName, timestamp } from '../job.js';
import { plainText } from '../parameters.js';
import { reason } from './jobs.js';

export const runnersResponse = z.object({
  message: z.string(),
  runners: z.array(
    z.object({
      runner_id: z.string(),
      executables: z.array(z.string()).meta({ description: 'Such as simA=1.0.1; empty: the built-in engine only' }),
      confinement: z.string().optional().meta({ description: 'Of its simulators; absent: it does not say' }),
      slots: z.int().min(0).meta({ description: 'Tasks that it runs at once; 0: it does not say' }),
      running_tasks: z.int().min(0),
      draining: z.boolean().meta({ description: 'It is given no tasks' }),
    }),
  ),
});

/** Body of POST /admin/runners/drain. */
export const drainAction = z.object({
  runner_id: plainText.min(1).max(256),
  draining: z.boolean().meta({ description: 'false: it takes tasks again' }),
  reason,
});

export const drainResponse = z.object({
  message: z.string(),
  running_tasks: z.int().min(0).meta({ description: 'That it still has' }),
});

export const pausesResponse = z.object({
  message: z.string(),
  pauses: z.array(
    z.object({
      platform: platformName,
      sentence: z.string().meta({ description: 'What users read' }),
      since: timestamp,
    }),
  ),
});

/** Body of PUT /admin/pauses. */
export const pauseAction = z.object({
  platform: platformName,
  sentence: plainText
    .min(1)
    .max(500)
    .nullable()
    .meta({ description: 'What users read; null: submissions are taken again' }),
  reason,
});
