import { z } from 'zod';
import type { JobId } from '../domain/job-id.js';
import type { SchedulerJobId } from '../domain/scheduler.js';
import type { SchedulerOptions } from '../domain/scheduler-options.js';
import {
  type ClusterJob,
  markerOf,
  type Placement,
  type SchedulerJobState,
  type Submission,
  type SubmissionPhase,
} from '../domain/submission.js';
import { Prisma } from './database.js';

const options = z.strictObject({
  partition: z.string(),
  wallTimeSeconds: z.number(),
  memoryMib: z.number(),
  account: z.string().optional(),
  qos: z.string().optional(),
  constraint: z.string().optional(),
  reservation: z.string().optional(),
}) satisfies z.ZodType<SchedulerOptions>;

/** Instants inside JSON come as text. */
const instant = z.coerce.date();

const schedulerJob = z
  .object({
    ordinal: z.number(),
    first_task: z.number(),
    task_count: z.number(),
    attempted_at: instant.nullable(),
    scheduler_job_id: z.string().nullable(),
    known_at: instant.nullable(),
    is_lost: z.boolean(),
    end_description: z.string().nullable(),
  })
  .transform((row) => ({
    ordinal: row.ordinal,
    firstTask: row.first_task,
    taskCount: row.task_count,
    state: toJobState(row.scheduler_job_id as SchedulerJobId | null, row),
  }));

interface JobStateRow {
  readonly attempted_at: Date | null;
  readonly known_at: Date | null;
  readonly is_lost: boolean;
  readonly end_description: string | null;
}

function toJobState(id: SchedulerJobId | null, row: JobStateRow): SchedulerJobState {
  const { attempted_at: attemptedAt, known_at: knownAt, end_description: description } = row;
  if (id === null || knownAt === null) {
    return attemptedAt === null ? { kind: 'planned' } : { kind: 'attempted', attemptedAt };
  }
  if (row.is_lost) return { kind: 'lost', id };
  if (description !== null) return { kind: 'ended', id, description };
  return { kind: 'known', id, knownAt };
}

/** Columns of {@link submissionRow}, its scheduler jobs as one JSON array. To be selected from `submissions AS s`. */
export const SUBMISSION_COLUMNS = Prisma.sql`
  s.job_id, s.user_id, s.cluster_name, s.options, s.phase, s.created_at, s.try_count, s.waiting_reason,
  s.cancel_requested_at IS NOT NULL AS is_cancel_wanted, s.delete_requested_at IS NOT NULL AS is_delete_wanted,
  s.username, s.task_count, s.observed_at, s.cancel_sent_at, s.ended_at, s.end_reason, s.end_message,
  s.end_reported_at IS NOT NULL AS is_end_reported,
  (SELECT coalesce(jsonb_agg(to_jsonb(j) ORDER BY j.ordinal), '[]') FROM scheduler_jobs j WHERE j.job_id = s.job_id) AS jobs`;

/** A submission that was asked for; what is known by an intent only is not read by it. */
export const submissionRow = z
  .object({
    job_id: z.string().transform((id) => id as JobId),
    user_id: z.bigint(),
    cluster_name: z.string(),
    options,
    phase: z.enum(['accepted', 'uploaded', 'submitted', 'ended', 'cleared']),
    created_at: z.date(),
    try_count: z.number(),
    waiting_reason: z.string(),
    is_cancel_wanted: z.boolean(),
    is_delete_wanted: z.boolean(),
    username: z.string().nullable(),
    task_count: z.number().nullable(),
    observed_at: z.date().nullable(),
    cancel_sent_at: z.date().nullable(),
    ended_at: z.date().nullable(),
    end_reason: z.string().nullable(),
    end_message: z.string().nullable(),
    is_end_reported: z.boolean(),
    jobs: schedulerJob.array(),
  })
  .transform(
    (row): Submission => ({
      jobId: row.job_id,
      userId: row.user_id,
      clusterName: row.cluster_name,
      options: row.options,
      acceptedAt: row.created_at,
      tryCount: row.try_count,
      waitingReason: row.waiting_reason,
      isCancelWanted: row.is_cancel_wanted,
      isDeleteWanted: row.is_delete_wanted,
      phase: toPhase(row),
    }),
  );

interface PhaseRow {
  readonly job_id: JobId;
  readonly phase: SubmissionPhase['kind'];
  readonly username: string | null;
  readonly task_count: number | null;
  readonly observed_at: Date | null;
  readonly cancel_sent_at: Date | null;
  readonly ended_at: Date | null;
  readonly end_reason: string | null;
  readonly end_message: string | null;
  readonly is_end_reported: boolean;
  readonly jobs: readonly Omit<ClusterJob, 'marker'>[];
}

function toPlacement({ job_id: jobId, username, task_count: taskCount, jobs }: PhaseRow): Placement | undefined {
  if (username === null) return undefined;
  return {
    username,
    taskCount: taskCount ?? 0,
    jobs: jobs.map((job) => ({ ...job, marker: markerOf(jobId, job.ordinal) })),
  };
}

/** What the check constraints of the table promise. @throws Error where they do not hold */
function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a submission is stored without what its phase needs');
  return value;
}

function toPhase(row: PhaseRow): SubmissionPhase {
  const placement = toPlacement(row);
  switch (row.phase) {
    case 'accepted':
    case 'cleared':
      return { kind: row.phase };
    case 'uploaded':
      return { kind: 'uploaded', ...given(placement) };
    case 'submitted': {
      const cancel = row.cancel_sent_at === null ? {} : { cancelSentAt: row.cancel_sent_at };
      return { kind: 'submitted', observedAt: given(row.observed_at), ...cancel, ...given(placement) };
    }
    case 'ended': {
      const end = { ...(row.end_reason === null ? {} : { reason: row.end_reason }), message: given(row.end_message) };
      const where = placement === undefined ? {} : { placement };
      return { kind: 'ended', endedAt: given(row.ended_at), end, isReported: row.is_end_reported, ...where };
    }
  }
}
