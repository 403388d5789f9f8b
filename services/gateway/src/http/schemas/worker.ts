import { z } from 'zod';
import { stateName } from './job.js';
import { plainText } from './parameters.js';
import { uploadedEstimators } from './uploaded-results.js';

const INT4_MAX = 2_147_483_647;

/** Public job id, or the internal number. */
const jobReference = z
  .union([plainText.min(1).max(128), z.int().min(1)], 'must be a job id, or the internal number of a job')
  .transform(String)
  .meta({ description: 'Job id as the submission returned it; the internal number is taken too' });

const updateKey = z.string().min(1).max(1_024).meta({ description: 'Update key of the job, or the shared one' });

/** Headers of large uploads. A proxy may use Authorization for itself: another scheme than Bearer is nothing to us. */
export const uploadHeaders = z.object({
  Authorization: z
    .string()
    .optional()
    .meta({
      description:
        'Bearer and the update key, with X-Job-ID: the key of a large body is then checked before any of the body is read; ' +
        'else by its beginning, which must have `simulation_id` and `update_key`',
    }),
  'X-Job-ID': z.string().optional().meta({ description: 'The same as simulation_id' }),
});

const celeryId = plainText.max(200).nullish().meta({ description: 'The attempt as the worker calls it' });

const TIME = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/;
const TIME_MESSAGE = 'must be YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, or ISO 8601';

/** Text of a worker's timestamp → instant; undefined when it is none. A time without a zone is UTC. */
export function parseWorkerTime(text: string): Date | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1_000);
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
  // no 30th of February, no 25th hour: what the calendar does not have comes back as something else
  const isReal = local.getUTCMonth() === month - 1 && local.getUTCDate() === day && local.getUTCHours() === hour;
  if (!isReal || minute > 59 || second > 59 || year < 1_970) return undefined;
  return new Date(local.getTime() - zoneMinutes(match[8] ?? 'Z') * 60_000);
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

const workerTime = z
  .string()
  .refine((text) => parseWorkerTime(text) !== undefined, TIME_MESSAGE)
  .transform(parseWorkerTime)
  .nullish()
  .meta({ description: 'YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, or ISO 8601', examples: ['2026-01-02 03:04:05.678901'] });

const count = z.int().min(0).nullish();

/** Body of POST /jobs. */
export const jobUpdate = z.object({
  sim_id: jobReference,
  update_key: updateKey,
  job_state: stateName.nullish().meta({ description: 'Unless given, the state stays and the rest is stored' }),
  end_time: workerTime,
  job_dir: plainText.max(1_000).nullish().meta({ description: 'Batch platform: folder of the job on the cluster' }),
  array_id: count.meta({ description: 'Batch platform: number of the array job' }),
  collect_id: count.meta({ description: 'Batch platform: number of the collect job' }),
});

/** Body of POST /tasks. */
export const taskUpdate = z.object({
  simulation_id: jobReference,
  task_id: z.int().min(0).max(INT4_MAX),
  update_key: updateKey,
  update_dict: z.object({
    task_state: stateName.nullish(),
    simulated_primaries: count,
    requested_primaries: count,
    estimated_time: z.int().min(0).max(INT4_MAX).nullish().meta({ description: 'Remaining, seconds' }),
    start_time: workerTime,
    end_time: workerTime,
    celery_id: celeryId,
    failure: z.string().max(2_000).nullish().meta({ description: 'Why the task FAILED, for people' }),
  }),
});

const line = plainText.max(256);

/** Estimators with a `task_output`. */
export const noEstimators = z.object({
  estimators: z.array(z.unknown()).refine((list) => list.length === 0, 'must be [] with task_output'),
});

/** Body of POST /results; without `task_id`: the final results of the job. */
export const resultsUpload = z
  .object({
    simulation_id: jobReference,
    update_key: updateKey,
    estimators: uploadedEstimators,
    task_id: z.int().min(1).max(INT4_MAX).nullish().meta({ description: "One task's output, merged by the service" }),
    task_output: z.string().nullish().meta({
      contentEncoding: 'base64',
      description: "Instead of estimators, which is then []: the task's output as the service's own tools write it",
    }),
    primaries: count.meta({ description: 'Histories behind the values; required with task_id' }),
    engine: line.min(1).nullish().meta({ description: 'Who computed it' }),
    celery_id: celeryId,
  })
  .refine((body) => (body.task_id ?? undefined) === undefined || (body.primaries ?? undefined) !== undefined, {
    path: ['primaries'],
    message: 'is required with task_id',
  })
  .refine((body) => (body.task_output ?? undefined) === undefined || (body.task_id ?? undefined) !== undefined, {
    path: ['task_id'],
    message: 'is required with task_output',
  });

const logKey = plainText.min(1).max(128);

/** What is checked after the key: it may be large. */
export const uploadedLogfiles = z.object({
  logfiles: z.record(logKey, z.string()).refine((logs) => Object.keys(logs).length <= 1_000, 'has too many log files'),
});

/** Body of POST /logfiles. */
export const logfilesUpload = z.object({
  simulation_id: jobReference,
  update_key: updateKey,
  logfiles: z.record(logKey, z.string()).meta({ description: 'Text by key, for example task_1 or stdout' }),
  offsets: z
    .record(logKey, z.int().min(0))
    .nullish()
    .meta({ description: 'By key: bytes of the log before this text. A text without an offset is the whole log' }),
});

/** Answer to an upload or an update. */
export const workerResponse = z.object({
  message: z.string(),
  applied: z
    .boolean()
    .meta({ description: 'False: ignored, because the job or task had ended or the attempt was replaced' }),
});
export const taskUpdateResponse = workerResponse.extend({
  cancel: z.boolean().meta({ description: 'True: the worker should stop' }),
  finish: z.boolean().meta({
    description:
      'True: the job was stopped; the worker should end now and deliver, as COMPLETED, what it has simulated',
  }),
});
