import {
  CONFINEMENTS,
  type Duration,
  INPUT_TYPES,
  jobs,
  nameOf,
  PLATFORMS,
  SIMULATORS,
  STATES,
  UNSUPPORTED_CHOICES,
} from '@tally/contracts';
import { actingGroups } from '@tally/service-kit';
import { type Executables, isVersion, type JobDescription, type OnUnsupported } from '@tally/simulators';
import { checkGroup } from '../domain/access/change-shares.js';
import type { TaskProgress } from '../domain/direct/report-task.js';
import type { TaskEnd } from '../domain/direct/report-task-end.js';
import { invalidField } from '../domain/errors.js';
import type { JobEvent } from '../domain/events/job-event.js';
import type { WatchPart } from '../domain/events/watch-job-events.js';
import type { InputType, Job, JobId, Platform, Simulator, UserId } from '../domain/job.js';
import type { State } from '../domain/job-state.js';
import type { JobLabels } from '../domain/labels/labels.js';
import type { JobListQuery, JobQuery, RunnerReport } from '../domain/ports.js';
import type { ProjectQuotas } from '../domain/project/project-ports.js';
import { readJobSearch } from '../domain/search/job-search.js';
import type { Quotas } from '../domain/submit/quotas.js';
import { type Convergence, predictPrimaries, predictSeconds, type Target } from '../domain/submit/target.js';
import type { AttemptId, RunnerId, Task, TaskColumns } from '../domain/task.js';

/** The only conversion between what travels and what the rules speak of. */

export const toProtoState = (state: State): jobs.State => STATES[state];
export const toProtoPlatform = (platform: Platform): jobs.Platform => PLATFORMS[platform];
export const toProtoSimulator = (simulator: Simulator): jobs.Simulator => SIMULATORS[simulator];
export const toProtoInputType = (inputType: InputType): jobs.InputType => INPUT_TYPES[inputType];

/** A group of the acting user, to which something is given; undefined: none. @throws ServiceError REQUEST_INVALID */
export function readGroupId(groupId: string | undefined): string | undefined {
  if (groupId !== undefined) checkGroup(actingGroups(), groupId);
  return groupId;
}

/** @throws ServiceError REQUEST_INVALID */
export function readPlatform(value: jobs.Platform): Platform {
  const platform = nameOf(PLATFORMS, value);
  if (platform === undefined) throw invalidField('/platform', 'is not known');
  return platform;
}

/** Unspecified: any platform. @throws ServiceError REQUEST_INVALID */
export function readPlatformFilter(value: jobs.Platform): Platform | undefined {
  return value === jobs.Platform.PLATFORM_UNSPECIFIED ? undefined : readPlatform(value);
}

/** Unspecified: refuse. @throws ServiceError REQUEST_INVALID */
export function readOnUnsupported(value: jobs.OnUnsupported): OnUnsupported {
  if (value === jobs.OnUnsupported.ON_UNSUPPORTED_UNSPECIFIED) return 'refuse';
  const choice = nameOf(UNSUPPORTED_CHOICES, value);
  if (choice === undefined) throw invalidField('/on_unsupported', 'is not known');
  return choice;
}

/** @throws ServiceError REQUEST_INVALID */
export function readInputType(value: jobs.InputType): InputType {
  const inputType = nameOf(INPUT_TYPES, value);
  if (inputType === undefined) throw invalidField('/input_type', 'must be editor or files');
  return inputType;
}

/** @throws ServiceError REQUEST_INVALID */
export function readSimulator(value: jobs.Simulator): Simulator {
  const simulator = nameOf(SIMULATORS, value);
  if (simulator === undefined) throw invalidField('/sim_type', 'must be simA, simB, simC or simD');
  return simulator;
}

/** @throws ServiceError REQUEST_INVALID */
export function readRunnerReport(report: Omit<jobs.ReportRunnerRequest, 'runnerId'>): RunnerReport {
  const executables = readExecutables(report.executables);
  return {
    executables,
    confinement: nameOf(CONFINEMENTS, report.confinement),
    isRefusingFiles: report.refusesFiles,
    slotCount: Math.max(report.slots ?? 0, 0),
  };
}

/** @throws ServiceError REQUEST_INVALID */
export function readExecutables(entries: readonly jobs.SimulatorExecutable[]): Executables {
  const executables = new Map<Simulator, string>();
  for (const { simulator, version } of entries) {
    const name = readSimulator(simulator);
    if (executables.has(name)) throw invalidField('/executables', `has ${name} twice`);
    if (!isVersion(version)) throw invalidField('/executables', `has a version of ${name} that is none`);
    executables.set(name, version);
  }
  return executables;
}

/** @throws ServiceError REQUEST_INVALID */
export function readState(value: jobs.State): State {
  const state = nameOf(STATES, value);
  if (state === undefined) throw invalidField('/job_state', 'is not a state');
  return state;
}

/** @throws ServiceError REQUEST_INVALID */
export function readOrder(value: jobs.JobOrder): 'start_time' | 'end_time' {
  switch (value) {
    case jobs.JobOrder.JOB_ORDER_UNSPECIFIED:
    case jobs.JobOrder.JOB_ORDER_START_TIME:
      return 'start_time';
    case jobs.JobOrder.JOB_ORDER_END_TIME:
      return 'end_time';
    default:
      throw invalidField('/order_by', 'must be start_time or end_time');
  }
}

/** PostgreSQL has no character 0; an id that holds one names nothing. */
const idText = (text: string) => text.replaceAll('\0', '\ufffd');
export const readJobId = (text: string) => idText(text) as JobId;
export const readAttemptId = (text: string) => idText(text) as AttemptId;
export const readRunnerId = (text: string) => idText(text) as RunnerId;

/** @throws ServiceError REQUEST_INVALID */
export function readJobQuery(
  ownerId: UserId,
  { jobId, platform }: Pick<jobs.GetJobRequest, 'jobId' | 'platform'>,
): JobQuery {
  return { ownerId, jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
}

/** @throws ServiceError REQUEST_INVALID */
export function readListQuery(ownerId: UserId, request: jobs.ListJobsRequest): JobListQuery {
  const { pageSize, pageIndex, isAscending } = request;
  const [order, states] = [readOrder(request.order), request.states.map(readState)];
  return { ownerId, pageSize, pageIndex, order, isAscending, states, search: readJobSearch(request.search ?? '') };
}

/** Labels as they travel. */
export const toProtoLabels = (labels: JobLabels): jobs.JobLabels => ({
  revision: labels.revision,
  tags: [...labels.tags],
  note: labels.note ?? '',
  hasNote: labels.hasNote,
  isFavourite: labels.isFavourite,
  isArchived: labels.isArchived,
});

export function toDuration(ms: number): Duration {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Math.round(ms % 1000) * 1_000_000 };
}

export function toSeconds({ seconds, nanos }: Duration): number {
  return Number(seconds) + nanos / 1e9;
}

export function toProtoJob(job: Job): jobs.Job {
  return {
    jobId: job.jobId,
    title: job.title,
    platform: PLATFORMS[job.platform],
    inputType: INPUT_TYPES[job.inputType],
    simulator: SIMULATORS[job.simulator],
    state: STATES[job.state],
    startTime: job.startTime,
    endTime: job.endTime ?? undefined,
    taskCount: job.taskCount,
    seed: job.seed,
    failure: job.failure ?? '',
    clusterName: job.clusterName ?? '',
    waitingReason: job.waitingReason ?? '',
    simulationId: job.jobKey,
    isStopped: job.isStopped,
    simulatedPrimaries: job.simulatedPrimaries ?? undefined,
    convergence: job.convergence === null ? undefined : toProtoConvergence(job.convergence, job.startTime),
    extensions: toProtoExtensions(job),
    descriptionJson: describeJob(job),
    onUnsupported: job.onUnsupported === null ? undefined : UNSUPPORTED_CHOICES[job.onUnsupported],
    schedulerOptionsJson: job.schedulerOptions?.byteLength ? Buffer.from(job.schedulerOptions) : undefined,
    sweep: job.sweep ?? undefined,
    labels: job.labels === null ? undefined : toProtoLabels(job.labels),
  };
}

/** What the job simulates, with all primaries that its owner asked for. */
function describeJob({ title, simulator, seed, description: stored, extensions }: Job): string | undefined {
  if (stored === null) return undefined;
  const further = (extensions ?? []).reduce((sum, { primaries }) => sum + primaries, 0);
  const description: JobDescription = {
    ...stored,
    title,
    simulator,
    seed: `${seed}`,
    requested_primaries: stored.requested_primaries + further,
  };
  return JSON.stringify(description);
}

function toProtoExtensions({ submittedTaskCount, extensions }: Job): jobs.JobExtensions | undefined {
  if (submittedTaskCount === null) return undefined;
  const items = extensions ?? [];
  return {
    submittedTaskCount,
    extensions: items.map(({ primaries, taskCount }) => ({ primaries: BigInt(primaries), taskCount })),
  };
}

function toProtoTarget({ estimator, page, relativeError, maxPrimaries }: Target): jobs.Target {
  const pageNumber = page ?? undefined;
  return { estimatorName: estimator, pageNumber, relativeError, maxPrimaries: BigInt(maxPrimaries) };
}

function toProtoConvergence(convergence: Convergence, startTime: Date): jobs.Convergence {
  const { points, isReached } = convergence;
  const predicted = isReached === null ? predictPrimaries(convergence) : null;
  const seconds = isReached === null ? predictSeconds(convergence, startTime) : null;
  return {
    target: toProtoTarget(convergence),
    points: points.map(({ primaries, relativeError, time }) => {
      return { primaries: BigInt(primaries), relativeError: relativeError ?? undefined, time: new Date(time) };
    }),
    isReached: isReached ?? undefined,
    predictedPrimaries: predicted === null ? undefined : BigInt(predicted),
    predictedSeconds: seconds ?? undefined,
  };
}

/** Checked where it is used. */
export const readTarget = ({ estimatorName, pageNumber, relativeError, maxPrimaries }: jobs.Target): Target => ({
  estimator: estimatorName,
  page: pageNumber ?? null,
  relativeError,
  maxPrimaries: Number(maxPrimaries),
});

export function toProtoColumns(columns: TaskColumns): jobs.TaskColumns {
  return {
    taskIds: [...columns.taskIds],
    states: columns.states.map(toProtoState),
    requestedPrimaries: [...columns.requestedPrimaries],
    simulatedPrimaries: [...columns.simulatedPrimaries],
    estimatedSeconds: columns.estimatedSeconds.map((seconds) => seconds ?? -1),
    startTimesMs: columns.startTimesMs.map((ms) => ms ?? Number.NaN),
    endTimesMs: columns.endTimesMs.map((ms) => ms ?? Number.NaN),
    lastUpdateTimesMs: [...columns.lastUpdateTimesMs],
    attemptCounts: [...columns.attemptCounts],
    failures: Object.fromEntries(columns.failures),
  };
}

function toProtoTask(task: Task): jobs.Task {
  return {
    taskId: task.taskId,
    state: STATES[task.state],
    requestedPrimaries: task.requestedPrimaries,
    simulatedPrimaries: task.simulatedPrimaries,
    lastUpdateTime: task.lastUpdateTime,
    estimatedTime: task.estimatedSeconds === null ? undefined : toDuration(task.estimatedSeconds * 1000),
    startTime: task.startTime ?? undefined,
    endTime: task.endTime ?? undefined,
    failure: task.failure ?? '',
    attemptCount: task.attemptCount,
  };
}

export const readProgress = ({
  simulatedPrimaries,
  estimatedTime,
  processorTime,
}: jobs.TaskProgress): TaskProgress => ({
  simulatedPrimaries,
  estimatedSeconds: estimatedTime && toSeconds(estimatedTime),
  cpuMs: processorTime && 1000 * toSeconds(processorTime),
});

/** @throws ServiceError REQUEST_INVALID when there is no outcome */
export function readTaskEnd({ outcome, processorTime }: Omit<jobs.TaskEnd, 'attemptId'>): TaskEnd {
  const cpuMs = processorTime && 1000 * toSeconds(processorTime);
  switch (outcome?.$case) {
    case 'completed':
      return { kind: 'completed', simulatedPrimaries: outcome.value.simulatedPrimaries, cpuMs };
    case 'failed':
      return { kind: 'failed', ...outcome.value, cpuMs };
    case 'released':
      return { kind: 'released', cpuMs };
    default:
      throw invalidField('/outcome', 'is missing');
  }
}

export function toProtoWatchPart(part: WatchPart): jobs.WatchJobEventsResponse {
  return part.kind === 'opened'
    ? { part: { $case: 'opened', value: part.beginning } }
    : { part: { $case: 'event', value: toProtoEvent(part.event) } };
}

function toProtoEvent({ id, jobId, happenedAt, change }: JobEvent): jobs.JobEvent {
  return { id, jobId, happenTime: happenedAt, change: toProtoChange(change) };
}

function toProtoChange(change: JobEvent['change']): jobs.JobEvent['change'] {
  switch (change.kind) {
    case 'job': {
      const { state, taskCount, startTime, endTime, failure, waitingReason, isStopped } = change.job;
      const { simulatedPrimaries, convergence } = change.job;
      const value = {
        state: STATES[state],
        taskCount,
        startTime,
        endTime: endTime ?? undefined,
        failure: failure ?? '',
        waitingReason: waitingReason ?? '',
        isStopped,
        simulatedPrimaries: simulatedPrimaries ?? undefined,
        convergence: convergence === null ? undefined : toProtoConvergence(convergence, startTime),
      };
      return { $case: 'job', value };
    }
    case 'task':
      return { $case: 'task', value: toProtoTask({ ...change.task, attemptCount: 0 }) };
    case 'deleted':
      return { $case: 'deleted', value: {} };
  }
}

export function toProtoQuotas(quotas: Quotas & ProjectQuotas): jobs.GetQuotasResponse {
  return {
    openJobsPerUserMax: BigInt(quotas.openJobsPerUserMax),
    openTasksPerUserMax: BigInt(quotas.openTasksPerUserMax),
    queuedPrimariesPerUserMax: BigInt(quotas.queuedPrimariesPerUserMax),
    runningTasksPerUserMax: BigInt(quotas.runningTasksPerUserMax),
    storedBytesPerUserMax: BigInt(quotas.storedBytesPerUserMax),
    projectsPerUserMax: BigInt(quotas.projectsPerUserMax),
    projectBytesPerUserMax: BigInt(quotas.projectBytesPerUserMax),
  };
}
