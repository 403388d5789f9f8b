import {
  AUTH_PROVIDERS,
  type auth,
  ESTIMATE_BASES,
  GROUP_ROLES,
  INPUT_TYPES,
  type jobs,
  nameOf,
  PLATFORMS,
  RETAINED_DATA,
  readFailure,
  type results,
  SIMULATORS,
  STATES,
  TOKEN_SCOPES,
  UNSUPPORTED_CHOICES,
} from '@tally/contracts';
import type { JobDescription } from '@tally/merge';
import type { z } from 'zod';
import { answerInvalid } from '../errors.js';
import type { jobDescription } from './schemas/description.js';
import type { estimateBasisName } from './schemas/estimate.js';
import type {
  Failed,
  inputTypeName,
  onUnsupportedName,
  platformName,
  simulatorName,
  stateName,
  taskStatus,
} from './schemas/job.js';

export type StateName = z.output<typeof stateName>;

/** Name ↔ number of the contract. @throws ServiceError ANSWER_INVALID for an unknown number: the other service is at fault */
function naming<Name extends string, Value extends number>(table: Readonly<Record<Name, Value>>) {
  return {
    toProto: (name: Name): Value => table[name],
    toName: (value: Value): Name => {
      const name = nameOf(table, value);
      if (name === undefined) throw answerInvalid(`unknown enum value ${value}`);
      return name;
    },
  };
}

export const state = naming<StateName, jobs.State>(STATES);
export const simulator = naming<z.output<typeof simulatorName>, jobs.Simulator>(SIMULATORS);
export const platform = naming<z.output<typeof platformName>, jobs.Platform>(PLATFORMS);
export const inputType = naming<z.output<typeof inputTypeName>, jobs.InputType>(INPUT_TYPES);
export const onUnsupported = naming<z.output<typeof onUnsupportedName>, jobs.OnUnsupported>(UNSUPPORTED_CHOICES);
export const tokenScope = naming<keyof typeof TOKEN_SCOPES, auth.TokenScope>(TOKEN_SCOPES);
export const groupRole = naming<keyof typeof GROUP_ROLES, auth.GroupRole>(GROUP_ROLES);
export const estimateBasis = naming<z.output<typeof estimateBasisName>, jobs.EstimateBasis>(ESTIMATE_BASES);
export const retained = naming<keyof typeof RETAINED_DATA, jobs.RetainedData>(RETAINED_DATA);
export const source = naming<keyof typeof AUTH_PROVIDERS, auth.AuthProvider>(AUTH_PROVIDERS);

/** What a job has ended with, or how near its target it is, as answers show it. */
export function toJobEnd({
  isStopped,
  simulatedPrimaries,
  convergence,
}: Pick<jobs.Job, 'isStopped' | 'simulatedPrimaries' | 'convergence'>) {
  return {
    ...(convergence === undefined ? {} : toConvergence(convergence)),
    ...(isStopped ? { stopped: true as const } : {}),
    ...(simulatedPrimaries === undefined ? {} : { simulated_primaries: Number(simulatedPrimaries) }),
  };
}

/** The sweep of a job as answers show it. */
export const toSweep = ({ sweep }: Pick<jobs.Job, 'sweep'>) =>
  sweep === undefined ? {} : { sweep: { id: sweep.sweepId, size: sweep.size } };

/** Labels of a job as lists show them. */
export const toLabels = ({ revision, tags, hasNote, isFavourite, isArchived }: jobs.JobLabels) => ({
  revision,
  tags,
  has_note: hasNote,
  favourite: isFavourite,
  archived: isArchived,
});

/** Labels of one job, with its note. */
export const toNotedLabels = (labels: jobs.JobLabels) => ({ ...toLabels(labels), note: labels.note });

/** A target as a submission has it. */
export const fromTarget = ({ estimatorName, pageNumber, relativeError, maxPrimaries }: jobs.Target) => ({
  estimator: estimatorName,
  ...(pageNumber === undefined ? {} : { page: pageNumber }),
  relative_error: relativeError,
  max_primaries: Number(maxPrimaries),
});

/** What a job was submitted with, as the body of a submission says it: for who wants to submit it again. */
export function toSubmitted(job: jobs.Job) {
  const { convergence, onUnsupported: choice, schedulerOptionsJson: scheduler } = job;
  const target = convergence?.target;
  return {
    platform: platform.toName(job.platform),
    sim_type: simulator.toName(job.simulator),
    input_type: inputType.toName(job.inputType),
    ntasks: job.extensions?.submittedTaskCount ?? job.taskCount,
    title: job.title,
    seed: String(job.seed),
    ...(choice === undefined ? {} : { on_unsupported: onUnsupported.toName(choice) }),
    ...(target === undefined ? {} : { target: fromTarget(target) }),
    ...(job.clusterName === ''
      ? {}
      : {
          batch_options: {
            cluster_name: job.clusterName,
            ...(scheduler === undefined ? {} : { scheduler_options: readOptions(scheduler) }),
          },
        }),
  };
}

/** jobs keeps them as this gateway sent them. @throws ServiceError ANSWER_INVALID */
function readOptions(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString('utf8'));
  } catch {
    throw answerInvalid('the scheduler options of a job are no JSON');
  }
}

function toConvergence(convergence: jobs.Convergence) {
  const { target, points, isReached, predictedPrimaries, predictedSeconds } = convergence;
  return {
    target: {
      ...fromTarget(required(target, 'target')),
      convergence: points.map((point) => ({
        primaries: Number(point.primaries),
        relative_error: point.relativeError ?? null,
        time: toTimestamp(point.time, 'time'),
      })),
      ...(predictedPrimaries === undefined ? {} : { predicted_primaries: Number(predictedPrimaries) }),
      ...(predictedSeconds === undefined ? {} : { predicted_seconds: predictedSeconds }),
    },
    ...(isReached === undefined ? {} : { target_reached: isReached }),
  };
}

/**
 * What a job simulates, as answers show it, where it is known. jobs writes the text from this very type, so that it is read
 * without a check of each member: lists have one for each job. @throws ServiceError ANSWER_INVALID
 */
export function toDescription(json: string | undefined): { readonly description?: z.output<typeof jobDescription> } {
  if (json === undefined) return {};
  try {
    return { description: JSON.parse(json) as JobDescription };
  } catch {
    throw answerInvalid('the description of a job is no JSON');
  }
}

/** Of the warnings of results: the job was stopped by its owner. */
const STOPPED_WARNING = 'JOB_STOPPED';

/** Provenance of results, in every answer with results. */
export function toProvenance(header: results.ResultsHeader) {
  const { primaries, taskCount, isPartial, engine, warnings, descriptionJson } = header;
  return {
    ...toDescription(descriptionJson),
    primaries: Number(primaries),
    tasks_merged: taskCount,
    partial: isPartial,
    ...(warnings.some(({ code }) => code === STOPPED_WARNING) ? { stopped: true as const } : {}),
    engine,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Message field that the contract promises. @throws ServiceError ANSWER_INVALID when it is absent */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw answerInvalid(`${name} is missing`);
  return value;
}

/** Instant → ISO 8601, UTC, milliseconds and Z. */
export function toTimestamp(at: Date | undefined, name: string): string {
  return required(at, name).toISOString();
}

/** Internal number of a job as answers show it: not where jobs does not say it. */
export function toSimulationId(simulationId: bigint): { readonly simulation_id?: number } {
  return simulationId === 0n ? {} : { simulation_id: Number(simulationId) };
}

/** A failure's text as status views and events show it: as it is, and in its parts; nothing where there is none. */
export function toFailure(failure: string): Partial<Failed> {
  if (failure === '') return {};
  const { code, stage, detail, exitCode = null, signal = null, isRetryable } = readFailure(failure);
  return { failure, failure_reason: { code, stage, detail, exit_code: exitCode, signal, retryable: isRetryable } };
}

/** Task → its status view (docs/http-interface.md, Task): optional members only when they are set. */
export function toTaskStatus(task: jobs.Task): z.output<typeof taskStatus> {
  const estimated = toHoursMinutesSeconds(Number(task.estimatedTime?.seconds ?? 0n));
  return {
    task_id: task.taskId,
    task_state: state.toName(task.state),
    requested_primaries: Number(task.requestedPrimaries),
    simulated_primaries: Number(task.simulatedPrimaries),
    last_update_time: toTimestamp(task.lastUpdateTime, 'last_update_time'),
    ...(estimated === undefined ? {} : { estimated_time: estimated }),
    ...(task.startTime === undefined ? {} : { start_time: task.startTime.toISOString() }),
    ...(task.endTime === undefined ? {} : { end_time: task.endTime.toISOString() }),
    ...toFailure(task.failure),
  };
}

/** Undefined: unknown, or none left. */
export function toHoursMinutesSeconds(seconds: number) {
  if (seconds <= 0) return undefined;
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
}

/** A kept project as answers show it, without its text. */
export const toProject = (project: jobs.Project) => ({
  project_id: project.projectId,
  title: project.title,
  revision: project.revision,
  created_at: toTimestamp(project.createTime, 'created_at'),
  updated_at: toTimestamp(project.updateTime, 'updated_at'),
  size_bytes: Number(project.sizeBytes),
});

/** A revision of a kept project as answers show it. */
export const toRevision = ({ revision, saveTime, title, note, sizeBytes }: jobs.RevisionSummary) => ({
  revision,
  saved_at: toTimestamp(saveTime, 'saved_at'),
  title,
  ...(note === '' ? {} : { note }),
  size_bytes: Number(sizeBytes),
});

/** API token as answers show it. */
export function toApiToken(token: auth.ApiToken) {
  return {
    token_id: token.tokenId,
    name: token.name,
    scopes: token.scopes.map(tokenScope.toName),
    created_at: toTimestamp(token.createdAt, 'created_at'),
    expires_at: toTimestamp(token.expiresAt, 'expires_at'),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    ends_with_sessions: token.isEndedWithSessions,
  };
}

/** A user as others see it. */
export const toPerson = ({ userId, username, displayName, provider }: auth.User) => ({
  user_id: Number(userId),
  username,
  display_name: displayName,
  source: source.toName(provider),
});

/** A group as its members see it. */
export const toGroup = (group: auth.Group) => ({
  group_id: group.groupId,
  name: group.name,
  role: groupRole.toName(group.role),
  of_realm: group.isOfRealm,
  member_count: group.memberCount,
  created_at: toTimestamp(group.createdAt, 'created_at'),
});

/** A member of a group as the others see it. */
export const toMember = ({ user, role, joinedAt }: auth.Member) => ({
  ...toPerson(required(user, 'user')),
  role: groupRole.toName(role),
  joined_at: toTimestamp(joinedAt, 'joined_at'),
});
