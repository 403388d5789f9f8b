import { type Decision, type Sql, sql } from '@tally/service-kit';
import type { BatchTarget } from '../domain/batch/batch-ports.js';
import type { JobId } from '../domain/job.js';
import { JOB_TRANSITIONS } from '../domain/job-state.js';
import type { NewJob, SubmissionAnswer, SubmissionStore } from '../domain/ports.js';
import type { Database } from './database.js';

interface AnswerRow {
  readonly requestHash: string;
  readonly jobId: JobId;
  /** Null: the job has been deleted. */
  readonly simulationId: bigint | null;
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
}

export function createSubmissionStore(database: Database, settings: SubmissionSettings): SubmissionStore {
  const { removalDelayMs } = settings;
  return {
    findAnswer: async (ownerId, key) => {
      const row = await database.row(sql<AnswerRow>`
        SELECT request_hash AS "requestHash", first.job_id AS "jobId", first.seed::text AS seed, warnings, first.failure,
          simulations.id AS "simulationId"
        FROM idempotency_keys first LEFT JOIN simulations ON simulations.job_id = first.job_id
        WHERE first.owner_id = ${ownerId} AND key = ${key} AND expires_at > now()`);
      if (row === undefined) return undefined;
      const { requestHash, jobId, simulationId, seed, warnings, failure } = row;
      const answer = { jobId, simulationId: simulationId ?? undefined, seed: BigInt(seed), warnings };
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
function createJob(database: Database, job: NewJob, { idempotencyKeyHours, commandDelayMs }: SubmissionSettings) {
  const { jobId, idempotency } = job;
  const lock = sql`SELECT 1 FROM submissions WHERE job_id = ${jobId} FOR UPDATE`;
  const key = idempotency === undefined ? sql`SELECT 1` : storeAnswer(job, idempotency, idempotencyKeyHours);
  const insert = job.batch === undefined ? insertJob(job) : insertBatchJob(job, job.batch, commandDelayMs);
  type Outcome = Awaited<ReturnType<SubmissionStore['createJob']>>;
  return database.change([lock, key], (ours, keys): Decision<Outcome> => {
    if (ours.length === 0) return { save: [], result: 'abandoned' };
    if (keys.length === 0) return { save: [], result: 'keyTaken' };
    const toOutcome = ([, inserted]: readonly unknown[][]) => {
      const [row] = (inserted ?? []) as { readonly id: bigint }[];
      if (row === undefined) throw new Error(`job ${jobId} was not stored`);
      return { simulationId: row.id };
    };
    return { save: [sql`DELETE FROM submissions WHERE job_id = ${jobId}`, insert], result: toOutcome };
  });
}

/** No row when another request holds the key, or the submission was given up. A concurrent one is waited for. */
const storeAnswer = (job: NewJob, { key, requestHash }: NonNullable<NewJob['idempotency']>, hours: number) => sql`
  INSERT INTO idempotency_keys (owner_id, key, request_hash, job_id, seed, warnings, expires_at)
  SELECT ${job.ownerId}::bigint, ${key}, ${requestHash}, job_id, ${String(job.seed)}::numeric,
    ${JSON.stringify(job.warnings)}::json, now() + ${hours}::float8 * interval '1 hour'
  FROM submissions WHERE job_id = ${job.jobId}
  ON CONFLICT (owner_id, key) DO UPDATE
  SET request_hash = EXCLUDED.request_hash, job_id = EXCLUDED.job_id, seed = EXCLUDED.seed,
      warnings = EXCLUDED.warnings, failure = NULL, expires_at = EXCLUDED.expires_at
  WHERE idempotency_keys.expires_at <= now()
  RETURNING 1`;

/** Job, tasks, first attempts and messages in one statement, however many tasks. */
function insertJob(job: NewJob): Sql<{ readonly id: bigint }> {
  const { tasks } = job;
  return sql`
    WITH simulation AS (
      INSERT INTO simulations (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count)
      VALUES (${job.jobId}, ${job.ownerId}, ${job.title}, ${job.platform}, ${job.inputType}, ${job.simulator},
        ${JOB_TRANSITIONS.submitted.to}, ${String(job.seed)}::numeric, ${tasks.length})
      RETURNING id
    ), plan AS MATERIALIZED (
      SELECT share.*, gen_random_uuid()::text AS attempt_id
      FROM unnest(${tasks.map(({ taskId }) => taskId)}::int[], ${tasks.map(({ primaries }) => primaries)}::bigint[],
        ${tasks.map(({ firstHistory }) => firstHistory)}::bigint[]) AS share (task_id, primaries, first_history)
    ), task AS (
      INSERT INTO tasks (simulation_id, task_id, requested_primaries, first_history, celery_id)
      SELECT simulation.id, plan.task_id, plan.primaries, plan.first_history, plan.attempt_id FROM simulation, plan
      RETURNING id, task_id, simulation_id, celery_id
    ), attempt AS (
      INSERT INTO attempts (id, task_key, number) SELECT celery_id, id, 1 FROM task
    ), message AS (
      INSERT INTO outbox (kind, owner_id, simulation_id, attempt_id)
      SELECT 'task', ${job.ownerId}, simulation_id, celery_id FROM task ORDER BY task_id
    )
    SELECT id FROM simulation`;
}

/** Job, tasks and the command to submit it in one statement. Its tasks have no attempts: the scheduler has them. */
function insertBatchJob(job: NewJob, batch: BatchTarget, delayMs: number): Sql<{ readonly id: bigint }> {
  const { tasks } = job;
  return sql`
    WITH simulation AS (
      INSERT INTO simulations (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count,
        cluster_name)
      VALUES (${job.jobId}, ${job.ownerId}, ${job.title}, ${job.platform}, ${job.inputType}, ${job.simulator},
        ${JOB_TRANSITIONS.submitted.to}, ${String(job.seed)}::numeric, ${tasks.length}, ${batch.clusterName})
      RETURNING id
    ), task AS (
      INSERT INTO tasks (simulation_id, task_id, requested_primaries, first_history)
      SELECT simulation.id, share.*
      FROM simulation, unnest(${tasks.map(({ taskId }) => taskId)}::int[],
        ${tasks.map(({ primaries }) => primaries)}::bigint[],
        ${tasks.map(({ firstHistory }) => firstHistory)}::bigint[]) AS share
    ), command AS (
      INSERT INTO errands (job_id, kind, owner_id, cluster_name, scheduler_options, next_try_at)
      VALUES (${job.jobId}, 'submit', ${job.ownerId}, ${batch.clusterName}, ${batch.schedulerOptionsJson},
        now() + ${delayMs}::float8 * interval '1 ms')
    )
    SELECT id FROM simulation`;
}

/** Write-ahead rows become deletions. */
function abandon(selection: Sql, delayMs: number): Sql {
  return sql`
    WITH gone AS (DELETE FROM submissions WHERE ${selection} RETURNING job_id)
    INSERT INTO deletions (job_id, next_try_at)
    SELECT job_id, now() + ${delayMs}::float8 * interval '1 ms' FROM gone ON CONFLICT (job_id) DO NOTHING`;
}
