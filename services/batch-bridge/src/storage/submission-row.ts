import type { JobId } from '../domain/job-id.js';
import type { SchedulerJobId } from '../domain/scheduler.js';
import type {
  DesiredState,
  JobSpec,
  PhaseKind,
  RemoteJob,
  SchedulerJob,
  SchedulerJobState,
  StoredSubmission,
  Submission,
  SubmissionPhase,
} from '../domain/submission.js';
import type { SchedulerOptions } from '../domain/submit/scheduler-options.js';
import { Prisma, type SchedulerJob as SchedulerJobRow } from '../generated/prisma/client.js';

/** Selects what {@link toStored} reads. */
export const SUBMISSION = {
  omit: { jobSpec: true, log: true },
  include: { schedulerJobs: { orderBy: { ordinal: 'asc' } } },
} as const satisfies Prisma.SubmissionDefaultArgs;
export type SubmissionRow = Prisma.SubmissionGetPayload<typeof SUBMISSION>;

/** A revocation has no user. */
export const toStored = (row: SubmissionRow | null): StoredSubmission =>
  row === null ? undefined : row.userId === null ? 'revoked' : toSubmission(row);

/** A row of a submission. @throws Error for one of a revocation */
export function toSubmission(row: SubmissionRow): Submission {
  const { firstTask, lastTask, acceptedAt, attemptCount, waitingReason } = row;
  return {
    jobId: row.jobId as JobId,
    userId: required(row.userId),
    clusterName: required(row.clusterName),
    options: row.options as unknown as SchedulerOptions,
    origin: { requestId: row.requestId ?? undefined, traceparent: row.traceparent ?? undefined },
    firstTask,
    lastTask,
    acceptedAt,
    dueAt: row.dueAt ?? undefined,
    attemptCount,
    waitingReason,
    desired: row.desired as DesiredState,
    phase: toPhase(row),
  };
}

/** What the check constraints of the table promise. @throws Error where they do not hold */
function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a submission is stored without what its phase needs');
  return value;
}

function toPhase(row: SubmissionRow): SubmissionPhase {
  const remoteJob = toRemoteJob(row);
  const end = row.endMessage === null ? undefined : { reason: row.endReason ?? undefined, message: row.endMessage };
  const kind = row.phase as PhaseKind;
  switch (kind) {
    case 'accepted':
      return { kind, username: remoteJob?.username, ...(end && { failure: end }) };
    case 'uploaded':
      return { kind, remoteJob: required(remoteJob) };
    case 'submitted': {
      const cancelSentAt = row.cancelSentAt ?? undefined;
      return { kind, observedAt: required(row.observedAt), cancelSentAt, remoteJob: required(remoteJob) };
    }
    case 'ended':
    case 'cleared': {
      const ended = { endedAt: required(row.endedAt), end: required(end), isReported: row.isEndReported, remoteJob };
      return kind === 'ended' ? { kind, ...ended } : { kind, ...ended, clearedAt: required(row.clearedAt) };
    }
  }
}

function toRemoteJob({ username, taskCount, schedulerJobs }: SubmissionRow): RemoteJob | undefined {
  if (username === null) return undefined;
  return { username, taskCount: taskCount ?? 0, schedulerJobs: schedulerJobs.map(toSchedulerJob) };
}

function toSchedulerJob(row: SchedulerJobRow): SchedulerJob {
  const { ordinal, firstTask, taskCount } = row;
  return { ordinal, firstTask, taskCount, state: toJobState(row) };
}

function toJobState({
  attemptedAt,
  schedulerJobId,
  knownAt,
  isLost,
  endDescription,
}: SchedulerJobRow): SchedulerJobState {
  if (schedulerJobId === null) return attemptedAt ? { kind: 'attempted', attemptedAt } : { kind: 'planned' };
  const known = { id: schedulerJobId as SchedulerJobId, knownAt: required(knownAt) };
  if (endDescription !== null) return { kind: 'ended', ...known, description: endDescription };
  return { kind: isLost ? 'lost' : 'known', ...known };
}

/** A JobSpec in JSON; the shares are many. */
interface JobSpecJson extends Pick<JobSpec, 'simType' | 'inputType'> {
  readonly seed: string;
  /** Primaries and first history of each task. */
  readonly tasks: readonly (readonly [primaries: number, firstHistory: number])[];
}

export function toJobSpec(json: Prisma.JsonValue): JobSpec {
  const { seed, tasks, ...spec } = json as unknown as JobSpecJson;
  return {
    ...spec,
    seed: BigInt(seed),
    tasks: tasks.map(([primaries, firstHistory]) => ({ primaries, firstHistory })),
  };
}

function toJobSpecJson({ seed, tasks, ...spec }: JobSpec): Prisma.InputJsonValue {
  const shares = tasks.map(({ primaries, firstHistory }) => [primaries, firstHistory]);
  return { ...spec, seed: String(seed), tasks: shares };
}

/** What changes of a submission's row. Its spec is kept until it is uploaded, its log until it is cleared. */
export function toSubmissionData(submission: Submission, spec: JobSpec | undefined) {
  const { origin, firstTask, lastTask, acceptedAt, attemptCount, waitingReason, desired, phase } = submission;
  const remoteJob = phase.kind === 'accepted' ? undefined : phase.remoteJob;
  const username = phase.kind === 'accepted' ? phase.username : remoteJob?.username;
  const submitted = phase.kind === 'submitted' ? phase : undefined;
  const ended = phase.kind === 'ended' || phase.kind === 'cleared' ? phase : undefined;
  const end = phase.kind === 'accepted' ? phase.failure : ended?.end;
  return {
    requestId: origin.requestId ?? null,
    traceparent: origin.traceparent ?? null,
    firstTask,
    lastTask,
    acceptedAt,
    dueAt: submission.dueAt ?? null,
    attemptCount,
    waitingReason,
    desired,
    phase: phase.kind,
    username: username ?? null,
    taskCount: remoteJob?.taskCount ?? null,
    observedAt: submitted?.observedAt ?? null,
    cancelSentAt: submitted?.cancelSentAt ?? null,
    endedAt: ended?.endedAt ?? null,
    endReason: end?.reason ?? null,
    endMessage: end?.message ?? null,
    isEndReported: ended?.isReported ?? false,
    clearedAt: phase.kind === 'cleared' ? phase.clearedAt : null,
    ...(phase.kind === 'accepted' ? spec && { jobSpec: toJobSpecJson(spec) } : { jobSpec: Prisma.DbNull }),
    ...(phase.kind === 'cleared' && { log: '' }),
  };
}

/** The row of a scheduler job. */
export function toSchedulerJobRow(jobId: JobId, { state, ...job }: SchedulerJob): SchedulerJobRow {
  const known = 'id' in state ? state : undefined;
  return {
    jobId,
    ordinal: job.ordinal,
    firstTask: job.firstTask,
    taskCount: job.taskCount,
    attemptedAt: state.kind === 'attempted' ? state.attemptedAt : (known?.knownAt ?? null),
    schedulerJobId: known?.id ?? null,
    knownAt: known?.knownAt ?? null,
    isLost: state.kind === 'lost',
    endDescription: state.kind === 'ended' ? state.description : null,
  };
}
