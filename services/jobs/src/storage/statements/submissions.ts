import { newId, type Sql, sql } from '@tally/service-kit';
import type { JobId, StoredDescription, UserId } from '../../domain/job.js';
import { JOB_TRANSITIONS } from '../../domain/job-state.js';
import type { NewJob, SubmissionAnswer } from '../../domain/ports.js';
import type { Room, Usage } from '../../domain/submit/quotas.js';
import { newTasks } from './new-tasks.js';
import { lockQuotas, usageOf } from './usage.js';

interface AnswerRow {
  readonly requestHash: string;
  readonly jobId: JobId;
  /** Null: the job has been deleted. */
  readonly jobKey: bigint | null;
  readonly seed: string;
  readonly warnings: SubmissionAnswer['warnings'];
  readonly failure: string | null;
}

type Idempotency = NonNullable<NewJob['idempotency']>;

/** What was answered to a key that is not over. */
export const findAnswer = (ownerId: UserId, key: string): Sql<AnswerRow> => sql`
  SELECT request_hash AS "requestHash", first.job_id AS "jobId", first.seed::text AS seed, warnings, first.failure,
    jobs.id AS "jobKey"
  FROM idempotency_keys first LEFT JOIN jobs ON jobs.job_id = first.job_id
  WHERE first.owner_id = ${ownerId} AND key = ${key} AND expires_at > now()`;

/** Forgets keys that are over. */
export const deleteExpiredKeys = (): Sql => sql`DELETE FROM idempotency_keys WHERE expires_at < now()`;

/** Forgets the key of a submission that is refused. */
export const deleteKey = ({ ownerId, jobId }: NewJob, { key }: Idempotency): Sql => sql`
  DELETE FROM idempotency_keys WHERE owner_id = ${ownerId} AND key = ${key} AND job_id = ${jobId}`;

/** Writes ahead that the data of a job is to be removed after a time. Tells what is set for its owner. */
export const beginSubmission = (
  jobId: JobId,
  ownerId: UserId,
  timeoutMs: number,
): Sql<{ readonly storedBytesMax: number | null }> => sql`
  INSERT INTO duties (id, kind, job_id, next_try_at)
  VALUES (${newId()}, 'remove', ${jobId}, now() + ${timeoutMs}::float8 * interval '1 ms')
  RETURNING (SELECT stored_bytes FROM quotas WHERE kind = 'user' AND subject_id = ${ownerId}::bigint::text) AS "storedBytesMax"`;

/** It has been written ahead, and nobody has begun to remove its data. */
const isBegun = (jobId: JobId) => sql`job_id = ${jobId} AND kind = 'remove' AND try_count = 0`;

/** Data of the submission is to be removed after this time instead. */
export const abandonSubmission = (jobId: JobId, afterMs: number): Sql => sql`
  UPDATE duties SET next_try_at = now() + ${afterMs}::float8 * interval '1 ms' WHERE ${isBegun(jobId)}`;

/** Query of the owner of a submission; none: it was given up. */
const submissionOf = ({ jobId, ownerId }: NewJob) => sql`SELECT ${ownerId}::bigint FROM duties WHERE ${isBegun(jobId)}`;

/** Locks a submission and the quota of its owner; no row: it was given up. */
export const lockSubmission = (job: NewJob): Sql => lockQuotas(sql`${submissionOf(job)} FOR UPDATE`);

/** What the owner of a new job has, as {@link usageOf} says. */
export const usageOfOwner = ({ ownerId, groupId }: NewJob, room: Room): Sql<Usage> =>
  usageOf(sql`SELECT ${ownerId}::bigint`, room, sql`SELECT ${groupId ?? null}::text`);

/** Most primaries that wait in tasks of the job. */
export const primariesMax = ({ target, tasks }: NewJob): number =>
  target?.maxPrimaries ?? tasks.reduce((sum, { primaries }) => sum + primaries, 0);

/**
 * Stores the answer to a key. No row when another request holds the key, or the submission was given up. A concurrent one is waited for.
 */
export const storeAnswer = (job: NewJob, { key, requestHash }: Idempotency, hours: number): Sql => sql`
  INSERT INTO idempotency_keys (owner_id, key, request_hash, job_id, seed, warnings, expires_at)
  SELECT owner_id, ${key}, ${requestHash}, ${job.jobId}, ${String(job.seed)}::numeric,
    ${JSON.stringify(job.warnings)}::json, now() + ${hours}::float8 * interval '1 hour'
  FROM (${submissionOf(job)}) submission (owner_id)
  ON CONFLICT (owner_id, key) DO UPDATE
  SET request_hash = EXCLUDED.request_hash, job_id = EXCLUDED.job_id, seed = EXCLUDED.seed,
      warnings = EXCLUDED.warnings, failure = NULL, answer = NULL, expires_at = EXCLUDED.expires_at
  WHERE idempotency_keys.expires_at <= now()
  RETURNING 1`;

const newConvergence = ({ target }: NewJob) =>
  target === undefined ? null : JSON.stringify({ ...target, points: [], isReached: null });

/** The row has the other members itself. */
function describe({ description }: NewJob): string | null {
  if (description === undefined) return null;
  const { title: _title, simulator: _simulator, seed: _seed, ...stored } = description;
  return JSON.stringify(stored satisfies StoredDescription);
}

/** Job, tasks and what they wait for in place of the write-ahead row, in one statement, however many tasks. */
export function insertJob(job: NewJob, submitDelayMs: number): Sql<{ readonly id: bigint }> {
  const { tasks, origin, work, batch } = job;
  return sql`
    WITH job AS (
      INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, executable, state, seed, task_count,
        primaries_max, task_primaries_max, request_id, traceparent, convergence, cluster_name, scheduler_options, description,
        project_id, project_revision, on_unsupported, group_id, sweep_id, sweep_size, particle, energy_min_mev, energy_max_mev)
      VALUES (${job.jobId}, ${job.ownerId}, ${job.title}, ${job.platform}, ${job.inputType}, ${job.simulator}, ${job.executable ?? null},
        ${JOB_TRANSITIONS.submitted.to}, ${String(job.seed)}::numeric, ${tasks.length}, ${primariesMax(job)},
        ${job.taskPrimariesMax ?? null}, ${origin.requestId}, ${origin.traceparent}, ${newConvergence(job)}::json, ${batch?.clusterName ?? null},
        ${batch?.schedulerOptionsJson ?? null}, ${describe(job)}::json,
        ${job.project?.projectId ?? null}, ${job.project?.revision ?? null}, ${job.onUnsupported ?? null},
        ${job.groupId ?? null}::text, ${job.sweep?.sweepId ?? null}, ${job.sweep?.size ?? null},
        ${job.description?.particle ?? null}, ${job.description?.energy_mev?.min ?? null}, ${job.description?.energy_mev?.max ?? null})
      RETURNING id
    ), ${newTasks(job)}, ${newCost(work)},
    begun AS (DELETE FROM duties WHERE ${isBegun(job.jobId)})${newDuty(job, submitDelayMs)}
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
