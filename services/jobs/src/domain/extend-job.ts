import { createHash } from 'node:crypto';
import type { ServiceError } from '@tally/service-kit';
import { DEFAULT_PROJECT_LIMITS, splitPrimaries } from '@tally/simulators';
import type { BatchBridge } from './batch/batch-ports.js';
import type { Draft } from './change.js';
import { fail, invalidField, submissionsPaused } from './errors.js';
import type { JobExtension, JobId } from './job.js';
import { moveJob, requireMoved } from './move-state.js';
import { requireFound } from './owned.js';
import type { JobQuery, JobStore, StateStore } from './ports.js';
import type { EarlierAnswer } from './snapshot.js';
import { findShareFault } from './submit/find-share-fault.js';
import { checkIdempotencyKey } from './submit/idempotency-key.js';
import { quotaFault, type SubmissionQuotas } from './submit/quotas.js';

/** What a job is given besides what it has. */
export interface Extension {
  readonly primaries: number;
  /** Undefined: as many as it was submitted with, at most one for each primary. */
  readonly taskCount: number | undefined;
  /** Empty: none. */
  readonly idempotencyKey: string;
}

/** A job that was extended: tasks and primaries in all. */
export interface Extended {
  readonly taskCount: number;
  readonly primaries: bigint;
}

export interface ExtendLimits extends SubmissionQuotas {
  /** Of one extension, as of a submission. */
  readonly ntasksMax: number;
  /** Of a job, in all. */
  readonly jobTasksMax: number;
  readonly idempotencyKeyHours: number;
}

export interface ExtendPorts {
  readonly jobs: JobStore;
  readonly states: StateStore;
  readonly limits: ExtendLimits;
  /** Undefined: this deployment has no batch platform. */
  readonly cluster: { readonly bridge: BatchBridge } | undefined;
}

/**
 * Gives a job of the acting user that is COMPLETED further primaries (ADR 17): tasks on histories that no task has had. When
 * they have ended, the outputs of all tasks are merged; until then the earlier results stay. A repeat with the same
 * idempotency key gets the first answer.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, JOB_NOT_EXTENDABLE, REQUEST_INVALID, QUOTA_EXCEEDED,
 *   IDEMPOTENCY_KEY_REUSED, PLATFORM_UNIMPLEMENTED
 */
export async function extendJob(
  { jobs, states, limits, cluster }: ExtendPorts,
  query: JobQuery,
  extension: Extension,
): Promise<Extended> {
  checkIdempotencyKey(extension.idempotencyKey);
  if (query.platform === 'batch' && cluster === undefined) throw fail('PLATFORM_UNIMPLEMENTED');
  const { ownerId, jobId } = query;
  const key = extension.idempotencyKey === '' ? undefined : { ownerId, key: extension.idempotencyKey };
  const decide = (draft: Draft) => decideExtension(draft, jobId, extension, limits);
  const outcome = await states.changeJob(query, 'usage', decide, key);
  const answer = await requireFound(jobs, query, outcome);
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Undefined: there is no such job; an error: why it is left as it is. */
export function decideExtension(
  draft: Draft,
  jobId: JobId,
  extension: Extension,
  limits: ExtendLimits,
): Extended | ServiceError | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  const { primaries, taskCount, idempotencyKey: key } = extension;
  const requestHash = hashExtension(jobId, extension);
  const earlier = draft.earlierAnswer();
  if (earlier !== undefined) return answerAgain(earlier, requestHash);
  const paused = draft.usage().pauses?.[job.platform];
  if (paused !== undefined) return submissionsPaused(paused);
  if (job.state !== 'COMPLETED') {
    return fail('JOB_NOT_EXTENDABLE', { message: `Only a job that is COMPLETED can be extended; it is ${job.state}` });
  }
  const tally = draft.tally(job.jobKey);
  const { lastTaskId, nextHistory, undeliveredCount } = tally;
  if (job.endedBy !== null || undeliveredCount > 0) return fail('JOB_NOT_EXTENDABLE', { message: MERGED_ELSEWHERE });
  if (job.simulatedPrimaries === null) return fail('JOB_NOT_EXTENDABLE', { message: RESULTS_REMOVED });
  const primariesMax = DEFAULT_PROJECT_LIMITS.primariesMax - Number(nextHistory);
  if (!isCount(primaries, primariesMax)) {
    return invalidField('/primaries', `must be a whole number from 1 to ${primariesMax}`);
  }
  const taskCountMax = Math.min(limits.ntasksMax, limits.jobTasksMax - lastTaskId, primaries);
  const wanted = taskCount ?? Math.min(job.submittedTaskCount ?? lastTaskId, taskCountMax);
  if (taskCountMax < 1) {
    const message = `It has ${lastTaskId} tasks, and a job may have ${limits.jobTasksMax}`;
    return fail('JOB_NOT_EXTENDABLE', { message });
  }
  if (!isCount(wanted, taskCountMax)) {
    return invalidField('/ntasks', `must be a whole number from 1 to ${taskCountMax}`);
  }
  const shareFault = findShareFault(primaries, wanted, Number(job.taskPrimariesMax ?? primaries));
  if (shareFault !== undefined) return invalidField('/ntasks', shareFault);
  const exceeded = quotaFault(limits, draft.usage(), { openTaskCount: wanted, queuedPrimaries: primaries });
  if (exceeded !== undefined) return fail('QUOTA_EXCEEDED', { message: exceeded });
  addPrimaries(draft, job.jobKey, primaries, { primaries, taskCount: wanted });
  const extended = { taskCount: lastTaskId + wanted, primaries: tally.primaries + BigInt(primaries) };
  const { idempotencyKeyHours: hours } = limits;
  const answer = { ...extended, primaries: `${extended.primaries}` };
  if (key !== '') draft.addAnswer({ job, key, requestHash, answer, hours });
  return extended;
}

/** Two requests with the same hash ask for the same. A submission never has it. */
const hashExtension = (jobId: JobId, { primaries, taskCount }: Extension) =>
  createHash('sha256')
    .update(JSON.stringify(['extend', jobId, primaries, taskCount ?? null]))
    .digest('hex');

function answerAgain({ requestHash, answer }: EarlierAnswer, asked: string): Extended | ServiceError {
  if (answer === null || requestHash !== asked) return fail('IDEMPOTENCY_KEY_REUSED');
  return { ...answer, primaries: BigInt(answer.primaries) };
}

const MERGED_ELSEWHERE =
  'Its results were merged by an external worker: the outputs of its tasks, to which more could be added, are not here';

const RESULTS_REMOVED =
  'It has no results any more, to which more could be added: a rule of retention has removed them';

const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;

/** How many primaries its simulator counts in as many tasks as it was submitted with. */
export function findPrimariesMax(draft: Draft, jobKey: bigint): number {
  const { taskPrimariesMax, submittedTaskCount } = draft.job(jobKey);
  if (taskPrimariesMax === null) return Number.POSITIVE_INFINITY;
  return Number(taskPrimariesMax) * (submittedTaskCount ?? draft.tally(jobKey).lastTaskId);
}

/**
 * Gives a job of which all tasks have ended further ones, on histories that no task has had; it goes on.
 * @param extension - that its owner has asked for; undefined: as many tasks as it was submitted with, at most one for each primary
 */
export function addPrimaries(
  draft: Draft,
  jobKey: bigint,
  primaries: number,
  extension: JobExtension | undefined,
): void {
  const { lastTaskId, nextHistory } = draft.tally(jobKey);
  const taskCount = extension?.taskCount ?? Math.min(draft.job(jobKey).submittedTaskCount ?? lastTaskId, primaries);
  const tasks = splitPrimaries(primaries, taskCount).map((share) => ({
    taskId: lastTaskId + share.taskId,
    primaries: share.primaries,
    firstHistory: Number(nextHistory) + share.firstHistory,
  }));
  const isMoved = moveJob(draft, jobKey, 'extended', { waitingReason: null });
  requireMoved(`job ${jobKey} has ended but cannot be extended`, isMoved);
  const job = draft.job(jobKey);
  draft.putJob({
    ...job,
    stoppedAt: null,
    extendedAt: draft.now,
    submittedTaskCount: job.submittedTaskCount ?? lastTaskId,
  });
  draft.addTasks(jobKey, tasks, extension);
  const { jobId, platform } = job;
  if (platform === 'batch') draft.addDuty({ jobId, kind: 'submit', firstTask: lastTaskId + 1 });
}
