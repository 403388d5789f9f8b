import { type Sql, sql } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { SchedulerJobId } from '../domain/scheduler.js';
import type {
  JobSpec,
  RemoteJob,
  Revocation,
  SchedulerJob,
  SchedulerJobState,
  Submission,
  SubmissionPhase,
} from '../domain/submission.js';

/** Instants inside JSON are text. */
interface SchedulerJobRow {
  readonly ordinal: number;
  readonly first_task: number;
  readonly task_count: number;
  readonly attempted_at?: string | null;
  readonly scheduler_job_id?: SchedulerJobId | null;
  readonly known_at?: string | null;
  readonly is_lost: boolean;
  readonly end_description?: string | null;
}

interface PhaseRow {
  readonly phase: SubmissionPhase['kind'];
  readonly username: string | null;
  readonly taskCount: number | null;
  readonly observedAt: Date | null;
  readonly cancelSentAt: Date | null;
  readonly endedAt: Date | null;
  readonly endReason: string | null;
  readonly endMessage: string | null;
  readonly isReported: boolean;
  readonly clearedAt: Date | null;
  readonly schedulerJobs: readonly SchedulerJobRow[];
}

export interface SubmissionRow extends Omit<Submission, 'dueAt' | 'origin' | 'phase'>, PhaseRow {
  readonly dueAt: Date | null;
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** Columns of {@link SubmissionRow}, to be selected from `submissions s`. A revocation has no user. */
export const SUBMISSION_COLUMNS = sql`
  s.job_id AS "jobId", s.user_id AS "userId", s.cluster_name AS "clusterName", s.options, s.phase,
  s.request_id AS "requestId", s.traceparent,
  s.first_task AS "firstTask",
  coalesce(s.last_task, s.task_count, jsonb_array_length(s.job_spec -> 'tasks'), 0) AS "lastTask",
  s.created_at AS "acceptedAt", s.due_at AS "dueAt", s.try_count AS "attemptCount", s.waiting_reason AS "waitingReason",
  CASE WHEN s.delete_requested_at IS NOT NULL THEN 'deleted' WHEN s.cancel_requested_at IS NOT NULL THEN 'canceled'
    ELSE 'run' END AS desired,
  s.username, s.task_count AS "taskCount", s.observed_at AS "observedAt", s.cancel_sent_at AS "cancelSentAt",
  s.ended_at AS "endedAt", s.end_reason AS "endReason", s.end_message AS "endMessage",
  s.end_reported_at IS NOT NULL AS "isReported", s.cleared_at AS "clearedAt",
  (SELECT coalesce(jsonb_agg(to_jsonb(j) ORDER BY j.ordinal), '[]') FROM scheduler_jobs j WHERE j.job_id = s.job_id)
    AS "schedulerJobs"`;

export function toSubmission(row: SubmissionRow): Submission {
  const { jobId, userId, clusterName, options, firstTask, lastTask, acceptedAt, attemptCount } = row;
  const { waitingReason, desired } = row;
  const dueAt = row.dueAt ?? undefined;
  const origin = { requestId: row.requestId ?? undefined, traceparent: row.traceparent ?? undefined };
  const about = { jobId, userId, clusterName, options, origin, firstTask, lastTask, acceptedAt };
  return { ...about, dueAt, attemptCount, waitingReason, desired, phase: toPhase(row) };
}

/** What the check constraints of the table promise. @throws Error where they do not hold */
function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a submission is stored without what its phase needs');
  return value;
}

function toPhase(row: PhaseRow): SubmissionPhase {
  const remoteJob = toRemoteJob(row);
  const end = row.endMessage === null ? undefined : { reason: row.endReason ?? undefined, message: row.endMessage };
  switch (row.phase) {
    case 'accepted':
      return { kind: 'accepted', username: remoteJob?.username, ...(end && { failure: end }) };
    case 'uploaded':
      return { kind: 'uploaded', remoteJob: required(remoteJob) };
    case 'submitted': {
      const cancelSentAt = row.cancelSentAt ?? undefined;
      return { kind: 'submitted', observedAt: required(row.observedAt), cancelSentAt, remoteJob: required(remoteJob) };
    }
    case 'ended':
    case 'cleared': {
      const ended = { endedAt: required(row.endedAt), end: required(end), isReported: row.isReported, remoteJob };
      return row.phase === 'ended'
        ? { kind: 'ended', ...ended }
        : { kind: 'cleared', ...ended, clearedAt: required(row.clearedAt) };
    }
  }
}

function toRemoteJob({ username, taskCount, schedulerJobs }: PhaseRow): RemoteJob | undefined {
  if (username === null) return undefined;
  return { username, taskCount: taskCount ?? 0, schedulerJobs: schedulerJobs.map(toSchedulerJob) };
}

function toSchedulerJob(row: SchedulerJobRow): SchedulerJob {
  return { ordinal: row.ordinal, firstTask: row.first_task, taskCount: row.task_count, state: toJobState(row) };
}

function toJobState(row: SchedulerJobRow): SchedulerJobState {
  const { attempted_at: attemptedAt, scheduler_job_id: id, end_description: description } = row;
  if (!id) return attemptedAt ? { kind: 'attempted', attemptedAt: new Date(attemptedAt) } : { kind: 'planned' };
  const known = { id, knownAt: new Date(required(row.known_at)) };
  if (typeof description === 'string') return { kind: 'ended', ...known, description };
  return { kind: row.is_lost ? 'lost' : 'known', ...known };
}

/** A JobSpec in JSON; the shares are many. */
export interface JobSpecRow extends Pick<JobSpec, 'simType' | 'inputType'> {
  readonly seed: string;
  /** Primaries and first history of each task. */
  readonly tasks: readonly (readonly [primaries: number, firstHistory: number])[];
}

export function toJobSpec({ seed, tasks, ...spec }: JobSpecRow): JobSpec {
  return {
    ...spec,
    seed: BigInt(seed),
    tasks: tasks.map(([primaries, firstHistory]) => ({ primaries, firstHistory })),
  };
}

const toJobSpecRow = ({ seed, tasks, ...spec }: JobSpec): JobSpecRow => ({
  ...spec,
  seed: String(seed),
  tasks: tasks.map(({ primaries, firstHistory }) => [primaries, firstHistory]),
});

/**
 * Inserts or replaces the row of a submission. Moments that are stored stay, unless it was given further tasks; its spec is kept until it
 * is uploaded, its log until it is cleared.
 */
export function saveSubmission(submission: Submission, spec: JobSpec | undefined): Sql {
  const { jobId, userId, clusterName, options, origin, firstTask, lastTask, acceptedAt, dueAt } = submission;
  const { attemptCount, waitingReason, desired, phase } = submission;
  const remoteJob = phase.kind === 'accepted' ? undefined : phase.remoteJob;
  const username = phase.kind === 'accepted' ? phase.username : remoteJob?.username;
  const submitted = phase.kind === 'submitted' ? phase : undefined;
  const ended = phase.kind === 'ended' || phase.kind === 'cleared' ? phase : undefined;
  const end = phase.kind === 'accepted' ? phase.failure : ended?.end;
  const clearedAt = phase.kind === 'cleared' ? phase.clearedAt : undefined;
  return sql`
    INSERT INTO submissions AS s (
      job_id, user_id, cluster_name, options, first_task, last_task, created_at, phase, due_at, try_count, waiting_reason,
      cancel_requested_at, delete_requested_at, job_spec, request_id, traceparent,
      username, task_count, observed_at, cancel_sent_at, ended_at, end_reason, end_message, end_reported_at, cleared_at
    ) VALUES (
      ${jobId}, ${userId}, ${clusterName}, ${options}, ${firstTask}, ${lastTask}, ${acceptedAt}, ${phase.kind}, ${dueAt},
      ${attemptCount}, ${waitingReason},
      CASE WHEN ${desired !== 'run'}::boolean THEN now() END, CASE WHEN ${desired === 'deleted'}::boolean THEN now() END,
      ${spec && toJobSpecRow(spec)}, ${origin.requestId}, ${origin.traceparent},
      ${username}, ${remoteJob?.taskCount}, ${submitted?.observedAt}, ${submitted?.cancelSentAt}, ${ended?.endedAt},
      ${end?.reason}, ${end?.message}, CASE WHEN ${ended?.isReported ?? false}::boolean THEN now() END, ${clearedAt}
    )
    ON CONFLICT (job_id) DO UPDATE SET
      first_task = excluded.first_task, last_task = excluded.last_task, created_at = excluded.created_at,
      request_id = excluded.request_id, traceparent = excluded.traceparent,
      phase = excluded.phase, due_at = excluded.due_at, try_count = excluded.try_count,
      waiting_reason = excluded.waiting_reason,
      cancel_requested_at = coalesce(CASE WHEN excluded.created_at = s.created_at THEN s.cancel_requested_at END, excluded.cancel_requested_at),
      delete_requested_at = coalesce(CASE WHEN excluded.created_at = s.created_at THEN s.delete_requested_at END, excluded.delete_requested_at),
      username = excluded.username, task_count = excluded.task_count, observed_at = excluded.observed_at,
      cancel_sent_at = excluded.cancel_sent_at, ended_at = excluded.ended_at, end_reason = excluded.end_reason,
      end_message = excluded.end_message,
      end_reported_at = coalesce(CASE WHEN excluded.created_at = s.created_at THEN s.end_reported_at END, excluded.end_reported_at), cleared_at = excluded.cleared_at,
      job_spec = CASE WHEN excluded.phase = 'accepted' THEN coalesce(excluded.job_spec, s.job_spec) END,
      log = CASE WHEN excluded.cleared_at IS NULL THEN s.log ELSE '' END`;
}

export function saveRevocation({ jobId, desired, revokedAt }: Revocation): Sql {
  return sql`
    INSERT INTO submissions (job_id, phase, created_at, cleared_at, cancel_requested_at, delete_requested_at)
    VALUES (${jobId}, 'cleared', ${revokedAt}, ${revokedAt}, ${revokedAt}, ${desired === 'deleted' ? revokedAt : null})`;
}

/** Makes the scheduler jobs of a submission these. */
export function saveSchedulerJobs(jobId: JobId, schedulerJobs: readonly SchedulerJob[]): Sql[] {
  const ordinals = schedulerJobs.map(({ ordinal }) => ordinal);
  const rows = JSON.stringify(schedulerJobs.map(toSchedulerJobRow));
  return [
    sql`DELETE FROM scheduler_jobs WHERE job_id = ${jobId} AND ordinal <> ALL (${ordinals}::int[])`,
    sql`
      INSERT INTO scheduler_jobs
        (job_id, ordinal, first_task, task_count, attempted_at, scheduler_job_id, known_at, is_lost, end_description)
      SELECT ${jobId}::text, ordinal, first_task, task_count, attempted_at, scheduler_job_id, known_at, is_lost, end_description
      FROM jsonb_to_recordset(${rows}::jsonb) AS given (ordinal int, first_task int, task_count int,
        attempted_at timestamptz, scheduler_job_id text, known_at timestamptz, is_lost bool, end_description text)
      ON CONFLICT (job_id, ordinal) DO UPDATE SET
        attempted_at = excluded.attempted_at, scheduler_job_id = excluded.scheduler_job_id, known_at = excluded.known_at,
        is_lost = excluded.is_lost, end_description = excluded.end_description`,
  ];
}

function toSchedulerJobRow({ ordinal, firstTask, taskCount, state }: SchedulerJob): SchedulerJobRow {
  const known = 'id' in state ? state : undefined;
  const knownAt = known?.knownAt.toISOString();
  return {
    ordinal,
    first_task: firstTask,
    task_count: taskCount,
    attempted_at: state.kind === 'attempted' ? state.attemptedAt.toISOString() : knownAt,
    scheduler_job_id: known?.id,
    known_at: knownAt,
    is_lost: state.kind === 'lost',
    end_description: state.kind === 'ended' ? state.description : undefined,
  };
}
