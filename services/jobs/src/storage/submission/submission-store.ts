import { type Decision, newId, type Sql, sql } from '@tally/service-kit';
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
  /** A submission that has not become a job after this time has failed. */
  readonly submissionTimeoutMs: number;
  /** Whoever submits a batch job tells batch-bridge itself; only after this time the duty does. */
  readonly submitDelayMs: number;
  readonly quotas: SubmissionQuotas;
}

export function createSubmissionStore(database: Database, settings: SubmissionSettings): SubmissionStore {
  const { removalDelayMs, submissionTimeoutMs } = settings;
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
      await database.run(sql`
        INSERT INTO duties (id, kind, job_id, next_try_at)
        VALUES (${newId()}, 'remove', ${jobId}, now() + ${submissionTimeoutMs}::float8 * interval '1 ms')`);
    },
    createJob: (job) => createJob(database, job, settings),
    forgetSubmission: async (jobId) => {
      await database.run(forget(jobId));
    },
    abandonSubmission: async (jobId) => {
      await database.run(sql`
        UPDATE duties SET next_try_at = now() + ${removalDelayMs}::float8 * interval '1 ms' WHERE ${isBegun(jobId)}`);
    },
    deleteExpiredKeys: async () => {
      await database.run(sql`DELETE FROM idempotency_keys WHERE expires_at < now()`);
    },
  };
}

/** What happens in between: whoever sweeps waits for the write-ahead row, and then finds it gone. */
function createJob(database: Database, job: NewJob, settings: SubmissionSettings) {
  const { idempotencyKeyHours, quotas } = settings;
  const { jobId, idempotency } = job;
  const submission = sql`SELECT ${job.ownerId}::bigint FROM duties WHERE ${isBegun(jobId)}`;
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

const describe = ({ description }: NewJob) => (description === undefined ? null : JSON.stringify(description));

/** Job, tasks and what they wait for in place of the write-ahead row, in one statement, however many tasks. */
function insertJob(job: NewJob, { submitDelayMs }: SubmissionSettings): Sql<{ readonly id: bigint }> {
  const { tasks, origin, work, batch } = job;
  return sql`
    WITH job AS (
      INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, executable, state, seed, task_count,
        primaries_max, request_id, traceparent, convergence, cluster_name, scheduler_options, description)
      VALUES (${job.jobId}, ${job.ownerId}, ${job.title}, ${job.platform}, ${job.inputType}, ${job.simulator}, ${job.executable ?? null},
        ${JOB_TRANSITIONS.submitted.to}, ${String(job.seed)}::numeric, ${tasks.length}, ${primariesMax(job)},
        ${origin.requestId}, ${origin.traceparent}, ${newConvergence(job)}::json, ${batch?.clusterName ?? null},
        ${batch?.schedulerOptionsJson ?? null}, ${describe(job)}::json)
      RETURNING id
    ), ${newTasks(job)}, ${newCost(work)},
    begun AS (${forget(job.jobId)})${newDuty(job, submitDelayMs)}
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

/** The duty to submit a batch job, as a further query of its statement. */
const newDuty = ({ jobId, batch }: NewJob, delayMs: number): Sql =>
  batch === undefined
    ? sql``
    : sql`, duty AS (
      INSERT INTO duties (id, kind, job_id, payload, next_try_at)
      VALUES (${newId()}, 'submit', ${jobId}, '{"firstTask": 1}', now() + ${delayMs}::float8 * interval '1 ms')
    )`;

/** It has been written ahead, and nobody has begun to remove its data. */
const isBegun = (jobId: JobId) => sql`job_id = ${jobId} AND kind = 'remove' AND try_count = 0`;

const forget = (jobId: JobId) => sql`DELETE FROM duties WHERE ${isBegun(jobId)}`;
