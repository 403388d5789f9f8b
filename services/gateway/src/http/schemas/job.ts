import { z } from 'zod';
import { jobDescription } from './description.js';
import { notedLabels } from './jobs/labels.js';
import { groupId, jobId, plainText } from './parameters.js';

/** ISO 8601, UTC, milliseconds. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ id: 'Timestamp', description: 'ISO 8601, UTC, milliseconds', examples: ['2026-01-02T03:04:05.678Z'] });

export const stateName = z
  .enum(['UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'])
  .meta({
    id: 'State',
    description:
      'Of a job or a task; COMPLETED, FAILED and CANCELED are final, but for a COMPLETED job that is extended',
  });
export const platformName = z
  .enum(['direct', 'batch'])
  .meta({ id: 'Platform', description: 'Workers of the service, or a cluster' });
export const inputTypeName = z
  .enum(['editor', 'files'])
  .meta({ id: 'InputType', description: 'A project of the editor, or input files of the simulator' });
export const simulatorName = z.enum(['simA', 'simB', 'simC', 'simD']).meta({ id: 'Simulator' });

export const onUnsupportedName = z.enum(['refuse', 'omit']).meta({
  id: 'OnUnsupported',
  description:
    'What becomes of quantities that cannot be scored, for example because their filter selects particles that are not ' +
    'transported: the job is refused (400), or they are left out, which `warnings` and the results say. What changes ' +
    'the transport is refused all the same, and so is a job of which nothing would be left',
});

const SEED_MAX = 2n ** 64n - 1n;
const SEED_MESSAGE = `must be a whole number from 0 to ${SEED_MAX}; above ${Number.MAX_SAFE_INTEGER} as text, because JSON numbers lose digits`;

/** Seed of a job: an integer, or, up to 2^64-1, its decimal digits as text. Every error names the range. */
const seed = z
  .union(
    [
      z
        .number()
        .refine((given) => Number.isSafeInteger(given) && given >= 0, SEED_MESSAGE)
        .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      z
        .string()
        .regex(/^\d{1,20}$/, { error: SEED_MESSAGE, abort: true })
        .refine((text) => BigInt(text) <= SEED_MAX, SEED_MESSAGE),
    ],
    SEED_MESSAGE,
  )
  .transform((given) => BigInt(given))
  .meta({ description: 'Seed of the random numbers; drawn unless given. Above 2^53-1 as text' });

const simData = z.record(z.string(), z.unknown());

/** How good the results of a job are to be. */
const target = z
  .object({
    estimator: z.string().min(1).meta({ description: 'Name as in results' }),
    page: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'Number as in results; all pages unless given, of which the largest error counts' }),
    relative_error: z.number().gt(0).lt(1).meta({
      description: "Mean relative standard error over the bins above half of the page's maximum, as a fraction",
    }),
    max_primaries: z.int().min(10).meta({ description: 'It ends with these in any case; at least 10 for each task' }),
  })
  .meta({
    description: 'The job goes on until its results are as good; the project says the primaries of the first part',
  });

/** Of which sweep a job is one. */
export const sweep = z
  .object({
    id: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 printable ASCII characters without blanks')
      .meta({ description: 'The same for all its jobs, and of your making' }),
    size: z.int().min(1).max(10_000).meta({ description: 'Its jobs in all' }),
  })
  .meta({ description: 'The jobs of a sweep belong together: you are told of them once, when the last has ended' });

const submission = z.object({
  sim_type: simulatorName,
  ntasks: z.int().min(1).max(2_147_483_647).meta({ description: 'Parallel tasks; at most the primaries and 1000' }),
  input_type: inputTypeName,
  sim_data: simData.optional().meta({ description: 'Project of the editor, or text of each input file by its name' }),
  input_json: simData.optional().meta({ description: 'Alias of sim_data when input_type is editor' }),
  input_files: simData.optional().meta({ description: 'Alias of sim_data when input_type is files' }),
  title: plainText
    .max(256)
    .optional()
    .meta({ description: "One line; else the project's title, or the name of the first input file, else Untitled" }),
  seed: seed.optional(),
  on_unsupported: onUnsupportedName.optional().meta({ description: 'refuse unless given' }),
  target: target.optional(),
  project: z
    .object({ project_id: plainText.min(1).max(128), revision: z.int().min(1).max(2_147_483_647) })
    .optional()
    .meta({ description: 'The kept project that sim_data was taken from: the job remembers it' }),
  sweep: sweep.optional(),
  group_id: groupId.optional().meta({ description: 'A group of yours that the job belongs to, too' }),
});

/** Members that may hold the simulation data. */
export const SIM_DATA_MEMBERS = ['sim_data', 'input_json', 'input_files'] as const;

/** Name of the member that holds the simulation data: `sim_data`, or its alias for the input type. */
export function simDataMember(body: {
  readonly sim_data?: unknown;
  readonly input_type?: unknown;
}): (typeof SIM_DATA_MEMBERS)[number] {
  if (body.sim_data !== undefined) return 'sim_data';
  return body.input_type === 'files' ? 'input_files' : 'input_json';
}

/** `when`: it is reported together with every other fault. */
const SIM_DATA_REQUIRED = { path: ['sim_data'], message: 'is required', when: () => true };
/** The rule for JSON Schema, which knows no functions. */
const ANY_SIM_DATA = { anyOf: SIM_DATA_MEMBERS.map((name) => ({ required: [name] })) };
const hasSimData = (body: z.output<typeof submission>) => body[simDataMember(body)] !== undefined;

/** Body of POST /jobs/direct. */
export const directSubmission = submission.refine(hasSimData, SIM_DATA_REQUIRED).meta(ANY_SIM_DATA);

/** Largest scheduler options, bytes of JSON. */
const SCHEDULER_OPTIONS_BYTES_MAX = 10_000;

const schedulerOptions = z
  .record(z.string(), z.unknown())
  .refine((options) => Buffer.byteLength(JSON.stringify(options)) <= SCHEDULER_OPTIONS_BYTES_MAX, {
    message: `must be at most ${SCHEDULER_OPTIONS_BYTES_MAX} bytes of JSON`,
  })
  .meta({
    description:
      'What the scheduler is asked for, by the names of its options, for example a time limit and a partition; the ' +
      `cluster names those that it takes. At most ${SCHEDULER_OPTIONS_BYTES_MAX} bytes of JSON`,
  });

const batchOptions = z.looseObject({
  cluster_name: plainText
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'A cluster of GET /clusters; else the default one' }),
  scheduler_options: schedulerOptions.optional(),
});

/** Body of POST /jobs/batch. */
export const batchSubmission = submission
  .extend({ batch_options: batchOptions.optional() })
  .refine(hasSimData, SIM_DATA_REQUIRED)
  .meta(ANY_SIM_DATA);

/** Body of POST /estimate: of either submission. */
export const estimatedSubmission = submission
  .extend({
    batch_options: batchOptions.optional(),
    platform: platformName.optional().meta({ description: 'Where it would run; direct unless given' }),
  })
  .refine(hasSimData, SIM_DATA_REQUIRED)
  .meta(ANY_SIM_DATA);

/** Headers of a submission, and of an extension. Printable ASCII; 255 is what the column of the keys holds. */
export const submissionHeaders = z.object({
  'Idempotency-Key': z
    .union([z.literal(''), z.string().regex(/^[\x21-\x7e]{1,255}$/)], {
      error: 'must be 1 to 255 printable ASCII characters without blanks',
    })
    .optional()
    .meta({ description: 'Makes a repeat safe: the same key and body give the first answer, another body 422' }),
});

/** Internal number of a job. */
const simulationId = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'Internal number of the job; workers may name it by this, too' });

export const submissionResponse = z.object({
  message: z.string(),
  job_id: z.string(),
  simulation_id: simulationId.meta({
    description: 'Internal number of the job; absent for a repeat of a submission whose job has been deleted',
  }),
  seed: z
    .string()
    .regex(/^\d{1,20}$/)
    .meta({ description: 'Decimal digits, up to 2^64-1' }),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
});

/** Why a task or job is FAILED: as text, and in its parts. */
export const failed = z.object({
  failure: z.string().meta({ description: 'Why it is FAILED, as one text' }),
  failure_reason: z
    .object({
      code: z.string().meta({ description: 'Stable word; docs/errors.md lists them' }),
      stage: z.enum(['submit', 'queue', 'run', 'deliver', 'merge']),
      detail: z.string().meta({ description: 'For people' }),
      exit_code: z.int().min(0).nullable().meta({ description: 'Of the simulator, when that is why' }),
      signal: z.string().nullable().meta({ description: 'That ended the simulator, when that is why' }),
      retryable: z.boolean().meta({ description: 'true: the same again may go well' }),
    })
    .meta({
      id: 'FailureReason',
      description: 'Why a task or job is FAILED; of a job with its tasks, of the first of these',
    }),
});
export type Failed = z.output<typeof failed>;
const failure = failed.partial().shape;

/** Status view of a task (docs/http-interface.md, Task). */
export const taskStatus = z
  .object({
    task_id: z.int().min(1),
    task_state: stateName,
    requested_primaries: z.int().min(0),
    simulated_primaries: z.int().min(0),
    last_update_time: timestamp,
    estimated_time: z
      .object({ hours: z.int().min(0), minutes: z.int().min(0).max(59), seconds: z.int().min(0).max(59) })
      .optional(),
    start_time: timestamp.optional(),
    end_time: timestamp.optional(),
    ...failure,
  })
  .meta({ id: 'TaskStatus', description: 'One of the ntasks runs of a job; optional members only when set' });

export const waitingReason = z.string().meta({
  description:
    'Why a job, or some of its tasks, do not go on at the moment, for example runners that are busy with other tasks, an ' +
    'expired certificate of a batch job, or results that a worker may still deliver',
});

/** A target, and how near a job has come to it. */
const convergence = target.extend({
  convergence: z
    .array(
      z.object({
        primaries: z.int().min(0),
        relative_error: z.number().min(0).nullable().meta({ description: 'null where it is not known' }),
        time: timestamp,
      }),
    )
    .meta({ description: 'What each merge came to, ascending' }),
  predicted_primaries: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'In all until the target, by the last error; not after the end' }),
  predicted_seconds: z.number().min(0).optional().meta({ description: 'From the last of these on; not after the end' }),
});

/** Of a job that its owner stopped, and of one that has final results. */
export const jobEndShape = {
  target: convergence.optional().meta({ description: 'Of a job that goes on until its results are good enough' }),
  target_reached: z.boolean().optional().meta({ description: 'Of such a job that has ended' }),
  stopped: z
    .literal(true)
    .optional()
    .meta({ description: 'Its owner has stopped it: it ends with the primaries that were simulated by then' }),
  simulated_primaries: z.int().min(0).optional().meta({ description: 'Primaries behind its final results' }),
};

export const jobStatusResponse = z.object({
  message: z.string(),
  simulation_id: simulationId,
  description: jobDescription.optional(),
  job_state: stateName,
  job_tasks_status: z.array(taskStatus),
  ...failure,
  ...jobEndShape,
  cluster_name: z.string().optional().meta({ description: 'Of a batch job' }),
  remaining_seconds: z
    .int()
    .min(0)
    .optional()
    .meta({
      description:
        'How long its tasks still take, those that have not begun in turns of as many as run now; absent: no task runs, or ' +
        'none has said how far it is',
    }),
  waiting_reason: waitingReason.optional(),
  labels: notedLabels.optional(),
  sweep: sweep.optional(),
  submission: z
    .object({
      platform: platformName,
      sim_type: simulatorName,
      input_type: inputTypeName,
      ntasks: z.int().min(1),
      title: z.string(),
      seed: z.string().regex(/^\d{1,20}$/),
      on_unsupported: onUnsupportedName.optional(),
      target: target.optional(),
      batch_options: z.object({ cluster_name: z.string(), scheduler_options: z.unknown().optional() }).optional(),
    })
    .optional()
    .meta({
      description:
        'What it was submitted with, as in its body, extensions aside; sim_data is the answer of GET /inputs',
    }),
});
export const jobStateResponse = z.object({ message: z.string(), job_state: stateName });

/** Body of POST /jobs/direct/extend and /jobs/batch/extend. */
export const extendRequest = z.object({
  job_id: jobId,
  primaries: z.int().min(1).meta({ description: 'Further primaries; at most 10¹⁰ in all' }),
  ntasks: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .meta({ description: 'Further tasks; as many as the job was submitted with unless given' }),
});
export const extendResponse = z.object({
  message: z.string(),
  job_id: z.string(),
  job_state: stateName,
  ntasks: z.int().min(1).meta({ description: 'Tasks of the job in all' }),
  primaries: z.int().min(1).meta({ description: 'Primaries of the job in all' }),
});

/** Query of GET /jobs/crate. */
export const crateQuery = z.object({
  job_id: jobId,
  format: z.enum(['hdf5', 'npz', 'csv']).default('hdf5').meta({ description: 'Of the results; hdf5 unless given' }),
  license: plainText.min(1).max(256).optional().meta({
    description:
      'Under which others may use it: an address, such as https://creativecommons.org/licenses/by/4.0/, or a name',
  }),
});

/** The crate as the document describes it: bytes, of which no schema says what they are (OpenAPI 3.1). */
export const crateFile = z
  .unknown()
  .meta({ description: 'A zip whose ro-crate-metadata.json describes the other files' });
export const stopResponse = jobStateResponse.extend({
  stopped: z.boolean().meta({ description: 'Whether the job ends early, by this call or an earlier one' }),
});
