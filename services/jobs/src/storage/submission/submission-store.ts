import { type Decision, type Sql, sql } from '@tally/service-kit';
import type { JobId } from '../../domain/job.js';
import { JOB_TRANSITIONS } from '../../domain/job-state.js';
import type { NewJob, SubmissionAnswer, SubmissionStore } from '../../domain/ports.js';
import { quotaFault, roomFor, type SubmissionQuotas } from '../../domain/submit/quotas.js';
import type { Database } from '../database.js';
import { lockQuotas, usageOf } from '../usage.js';
import { writeNewJobEvent } from '../write-events.js';
import { newTasks } from './new-tasks.js';

interface AnswerRow {
  readonly requestHash: string;
  readonly jobId: JobId;
  /** Null: the job has been deleted. */
  readonly jobKey: bigint | null;
  readonly seed: string;
  readonly warnings: SubmissionAnswer['warnings'];
  readonly failure: string | null;
}

export interface SubmissionSettings {
  readonly idempotencyKeyHours: number;
  /** Data of a submission that failed is removed after this time: until then a late call may still store some. */
  readonly removalDelayMs: number;
  /** Whoever submits a batch job tells batch-bridge itself; only after this time the command does. */
  readonly commandDelayMs: number;
  readonly quotas: SubmissionQuotas;
}

export function createSubmissionStore(database: Database, settings: SubmissionSettings): SubmissionStore {
  const { removalDelayMs } = settings;
  return {
    findAnswer: async (ownerId, key) => {
      const row = await database.row(sql<AnswerRow>`
        SELECT request_hash AS "requestHash", first.job_id AS "jobId", first.seed::text AS seed, warnings, first.failure,
          jobs.id AS "jobKey"
        FROM idempotency_keys first LEFT JOIN jobs ON jobs.job_id = first.job_id
        WHERE first.owner_id = ${ownerId} AND key = ${key} AND expires_at > now()`);
      if (row === undefined) return undefined;
      const { requestHash, jobId, jobKey, seed, warnings, failure } = row;
      const answer = { jobId, jobKey: jobKey ?? undefined, seed: BigInt(seed), warnings };
      return { requestHash, answer, failure };
    },
    noteFailure: async (ownerId, key, jobId, failure) => {
      const client = await database.client();
      await client.idempotencyKey.updateMany({ where: { ownerId, key, jobId }, data: { failure } });
    },
    beginSubmission: async (jobId) => {
      await database.run(sql`INSERT INTO submissions (job_id) VALUES (${jobId})`);
    },
    createJob: (job) => createJob(database, job, settings),
    forgetSubmission: async (jobId) => {
      await database.run(forget(jobId));
    },
    abandonSubmission: async (jobId) => {
      await database.run(abandon(sql`job_id = ${jobId}`, removalDelayMs));
    },
    abandonOldSubmissions: (ageMs) =>
      database.run(abandon(sql`created_at < now() - ${ageMs}::float8 * interval '1 ms'`, 0)),
    deleteExpiredKeys: async () => {
      await database.run(sql`DELETE FROM idempotency_keys WHERE expires_at < now()`);
    },
  };
}

/** What happens in between: whoever sweeps waits for the write-ahead row, and then finds it gone. */
function createJob(database: Database, job: NewJob, settings: SubmissionSettings) {
  const { idempotencyKeyHours, quotas } = settings;
  const { jobId, idempotency } = job;
  const submission = sql`SELECT ${job.ownerId}::bigint FROM submissions WHERE job_id = ${jobId}`;
  const lock = lockQuotas(sql`${submission} FOR UPDATE`);
  const key = idempotency === undefined ? [] : [storeAnswer(job, submission, idempotency, idempotencyKeyHours)];
  const asked = { openTaskCount: job.tasks.length, queuedPrimaries: primariesMax(job) };
  const usage = usageOf(sql`SELECT ${job.ownerId}::bigint`, roomFor(quotas, asked));
  type Outcome = Awaited<ReturnType<SubmissionStore['createJob']>>;
  return database.change([lock, usage, ...key], (ours, [used], keys): Decision<Outcome> => {
    if (ours.length === 0) return { save: [], result: 'abandoned' };
    if (keys?.length === 0) return { save: [], result: 'keyTaken' };
    const exceeded = used && quotaFault(quotas, used, asked);
    if (exceeded !== undefined) return { save: forgetKey(job), result: { exceeded } };
    const toOutcome = ([inserted]: readonly unknown[][]) => {
      const [row] = (inserted ?? []) as { readonly id: bigint }[];
      if (row === undefined) throw new Error(`job ${jobId} was not stored`);
      return { jobKey: row.id };
    };
    return { save: [insertJob(job, settings), writeNewJobEvent(job)], result: toOutcome };
  });
}

/** Most primaries that wait in tasks of the job. */
const primariesMax = ({ target, tasks }: NewJob): number =>
  target?.maxPrimaries ?? tasks.reduce((sum, { primaries }) => sum + primaries, 0);

/** What a refused submission is not to be remembered by. */
const forgetKey = ({ ownerId, jobId, idempotency }: NewJob) =>
  idempotency === undefined
    ? []
    : [
        sql`DELETE FROM idempotency_keys WHERE owner_id = ${ownerId} AND key = ${idempotency.key} AND job_id = ${jobId}`,
      ];

type Idempotency = NonNullable<NewJob['idempotency']>;
/**
 * No row when another request holds the key, or the submission was given up. A concurrent one is waited for.
 * @param submission - query of its owner
 */
const storeAnswer = (job: NewJob, submission: Sql, { key, requestHash }: Idempotency, hours: number) => sql`
  INSERT INTO idempotency_keys (owner_id, key, request_hash, job_id, seed, warnings, expires_at)
  SELECT owner_id, ${key}, ${requestHash}, ${job.jobId}, ${String(job.seed)}::numeric,
    ${JSON.stringify(job.warnings)}::json, now() + ${hours}::float8 * interval '1 hour'
  FROM (${submission}) submission (owner_id)
  ON CONFLICT (owner_id, key) DO UPDATE
  SET request_hash = EXCLUDED.request_hash, job_id = EXCLUDED.job_id, seed = EXCLUDED.seed,
      warnings = EXCLUDED.warnings, failure = NULL, answer = NULL, expires_at = EXCLUDED.expires_at
  WHERE idempotency_keys.expires_at <= now()
  RETURNING 1`;

const newConvergence = ({ target }: NewJob) =>
  target === undefined ? null : JSON.stringify({ ...target, points: [], isReached: null });

/** Job, tasks and what they wait for in place of the write-ahead row, in one statement, however many tasks. */
function insertJob(job: NewJob, { commandDelayMs }: SubmissionSettings): Sql<{ readonly id: bigint }> {
  const { tasks, origin, work, batch } = job;
  return sql`
    WITH job AS (
      INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count,
        primaries_max, request_id, traceparent, convergence, cluster_name, scheduler_options)
      VALUES (${job.jobId}, ${job.ownerId}, ${job.title}, ${job.platform}, ${job.inputType}, ${job.simulator},
        ${JOB_TRANSITIONS.submitted.to}, ${String(job.seed)}::numeric, ${tasks.length}, ${primariesMax(job)},
        ${origin.requestId}, ${origin.traceparent}, ${newConvergence(job)}::json, ${batch?.clusterName ?? null},
        ${batch?.schedulerOptionsJson ?? null})
      RETURNING id
    ), ${newTasks(job)}, ${newCost(work)},
    begun AS (${forget(job.jobId)})${newCommand(job, commandDelayMs)}
    SELECT id FROM job`;
}

/** What the job of the same statement costs by the model, where that is known. */
function newCost(work: NewJob['work']): Sql {
  const costs = work === undefined ? [] : [work];
  return sql`cost AS (
      INSERT INTO job_costs (job_key, engine, kind, fingerprint, start_seconds, primary_seconds)
      SELECT job.id, cost.* FROM job, unnest(${costs.map(({ engine }) => engine)}::text[], ${costs.map(({ kind }) => kind)}::text[],
        ${costs.map(({ fingerprint }) => fingerprint)}::text[], ${costs.map((cost) => cost.startSeconds)}::float8[],
        ${costs.map((cost) => cost.primarySeconds)}::float8[]) AS cost
    )`;
}

/** The command to submit a batch job, as a further query of its statement. */
const newCommand = ({ jobId, ownerId, batch }: NewJob, delayMs: number): Sql =>
  batch === undefined
    ? sql``
    : sql`, command AS (
      INSERT INTO bridge_commands (job_id, kind, owner_id, cluster_name, scheduler_options, next_try_at)
      VALUES (${jobId}, 'submit', ${ownerId}, ${batch.clusterName}, ${batch.schedulerOptionsJson},
        now() + ${delayMs}::float8 * interval '1 ms')
    )`;

const forget = (jobId: JobId) => sql`DELETE FROM submissions WHERE job_id = ${jobId}`;

/** Write-ahead rows become deletions. */
function abandon(selection: Sql, delayMs: number): Sql {
  return sql`
    WITH gone AS (DELETE FROM submissions WHERE ${selection} RETURNING job_id)
    INSERT INTO deletions (job_id, next_try_at)
    SELECT job_id, now() + ${delayMs}::float8 * interval '1 ms' FROM gone ON CONFLICT (job_id) DO NOTHING`;
}
