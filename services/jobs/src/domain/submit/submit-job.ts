import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Branded, type Clock, newJobId } from '@tally/service-kit';
import {
  type Executables,
  type JobDescription,
  type OnUnsupported,
  seedFromBytes,
  splitPrimaries,
} from '@tally/simulators';
import { type SubmitToClusterPorts, submitToCluster } from '../batch/submit-to-cluster.js';
import { fail, invalidField, submissionsPaused } from '../errors.js';
import { nameExecutable } from '../executable.js';
import type { InputType, JobId, Origin, Simulator, UserId } from '../job.js';
import { type Sweep, sweepFault } from '../notify/sweep.js';
import type { JobData, NewJob, Notifier, StoredInput, SubmissionAnswer, SubmissionStore } from '../ports.js';
import { findRunProject, type RunProject } from '../project/find-run-project.js';
import type { RevisionRef } from '../project/project.js';
import type { ProjectStore } from '../project/project-ports.js';
import { type BuiltInEngineSetting, type BuiltInEngineUse, decideUse, warnOfBuiltInEngine } from './built-in-engine.js';
import { checkTarget, checkTargetPage } from './check-target.js';
import type { ConvertedProject, ProjectConverter } from './convert-project.js';
import type { FindConfinement } from './find-confinement.js';
import type { FindExecutables } from './find-executables.js';
import { findShareFault } from './find-share-fault.js';
import { checkIdempotencyKey } from './idempotency-key.js';
import { type JobTarget, resolveTarget } from './resolve-target.js';
import { firstChunk, type Target } from './target.js';

/** A submission as a user sent it. */
export interface Submission extends JobTarget {
  readonly ownerId: UserId;
  readonly simulator: Simulator;
  readonly inputType: InputType;
  readonly taskCount: number;
  /** Empty: the project's. */
  readonly title: string;
  /** UTF-8 JSON text. */
  readonly simDataJson: Uint8Array;
  /** Undefined: drawn. */
  readonly seed: bigint | undefined;
  /** What becomes of quantities that cannot be scored. */
  readonly onUnsupported: OnUnsupported;
  /** Undefined: the job simulates the primaries of its project. */
  readonly target?: Target | undefined;
  /** The kept project that it was taken from; undefined: none. */
  readonly project?: RevisionRef | undefined;
  /** A group of its owner that it is to belong to, too; undefined: none. */
  readonly groupId?: string | undefined;
  /** Undefined: it belongs to none. */
  readonly sweep?: Sweep | undefined;
  /** Empty: none. */
  readonly idempotencyKey: string;
  readonly origin: Origin;
}

export interface SubmissionLimits {
  readonly ntasksMax: number;
  readonly simDataBytesMax: number;
}

export interface SubmitJobPorts {
  readonly submissions: SubmissionStore;
  readonly projects: Pick<ProjectStore, 'findTitle'>;
  readonly jobData: JobData;
  readonly converter: ProjectConverter;
  /** Undefined: this deployment has no batch platform. */
  readonly cluster: SubmitToClusterPorts | undefined;
  readonly findExecutables: FindExecutables;
  readonly builtInEngine: BuiltInEngineSetting;
  readonly findConfinement: FindConfinement;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly limits: SubmissionLimits;
}

export const TITLE_LENGTH_MAX = 256;
const UNTITLED = 'Untitled';

/**
 * Accepts a job: checks, converts and splits it, stores its input in results, and then the job in one transaction. When this returns,
 * the job will run; when it throws, no job is left, and its input goes soon. A batch job is then taken to its cluster, for which this
 * waits a bounded time: when that fails for good, this throws, and the job is left as FAILED. A repeat with the same idempotency key
 * gets the first answer.
 * @throws ServiceError every reason of a submission in errors.ts
 */
export async function submitJob(ports: SubmitJobPorts, submission: Submission): Promise<SubmissionAnswer> {
  checkRequest(ports, submission);
  const requestHash = await hashRequest(submission);
  const earlier = await findEarlierAnswer(ports, submission, requestHash);
  if (earlier !== undefined) return earlier;
  const { ownerId, project: revision } = submission;
  const runProject = revision && (await findRunProject(ports.projects, ownerId, revision));
  const { executables, batch, warnings } = await findTarget(ports, submission);
  const jobId = newJobId(ports.clock.now()) as Branded<'JobId'>;
  const { job, input, storedBytesMax } = await begin(ports, jobId, ownerId, async () => {
    const converted = await ports.converter.convert(submission, submission.simDataJson, executables);
    const project = { ...converted, warnings: [...warnings, ...converted.warnings] };
    const hasOwn = batch === undefined && executables.has(submission.simulator);
    const executable = hasOwn ? nameExecutable(submission.simulator) : undefined;
    const place = { batch, executable, runProject };
    const job = planJob(jobId, submission, project, place, requestHash, ports.clock.now());
    return { job, input: toInput(job, submission, project) };
  });
  const outcome = await store(ports, job, input, storedBytesMax);
  if (typeof outcome === 'object' && 'jobKey' in outcome) {
    ports.notifier.tasks();
    if (ports.cluster !== undefined && batch !== undefined) await submitToCluster(ports.cluster, job, batch);
    return { jobId, jobKey: outcome.jobKey, seed: job.seed, warnings: job.warnings };
  }
  await giveUp(ports, jobId);
  if (typeof outcome === 'object' && 'paused' in outcome) throw submissionsPaused(outcome.paused);
  if (typeof outcome === 'object') throw fail('QUOTA_EXCEEDED', { message: outcome.exceeded });
  const first = outcome === 'keyTaken' ? await findEarlierAnswer(ports, submission, requestHash) : undefined;
  if (first === undefined) throw fail('SUBMISSION_ABANDONED');
  return first;
}

/**
 * Writes ahead that there will be a job, while its project is converted: the database's disk and this processor do not wait for each
 * other. Of a project that cannot be converted nothing has been stored, and nothing is left.
 */
async function begin<T extends object>(
  { submissions }: SubmitJobPorts,
  jobId: JobId,
  ownerId: UserId,
  convert: () => Promise<T>,
): Promise<T & { readonly storedBytesMax: number | undefined }> {
  // a turn of the event loop later, so that the statement has left before converting holds this process
  const converting = setImmediate().then(convert);
  const [begun, converted] = await Promise.allSettled([submissions.beginSubmission(jobId, ownerId), converting]);
  if (converted.status === 'rejected') {
    if (begun.status === 'fulfilled') await submissions.forgetSubmission(jobId).catch(() => {}); // it is removed in time
    throw converted.reason;
  }
  if (begun.status === 'rejected') throw begun.reason;
  return { ...converted.value, storedBytesMax: begun.value };
}

/** Stores the input of a job in results, and then the job. */
async function store(ports: SubmitJobPorts, job: NewJob, input: StoredInput, storedBytesMax: number | undefined) {
  try {
    await ports.jobData.createInput(input, storedBytesMax);
    return await ports.submissions.createJob(job);
  } catch (err) {
    await giveUp(ports, job.jobId);
    throw err;
  }
}

const toInput = (
  { jobId, ownerId, inputType, description }: NewJob,
  submission: Submission,
  project: ConvertedProject,
) => ({
  jobId,
  ownerId,
  inputType,
  submitted: submission.simDataJson,
  deck: project.deck,
  simulatorDeck: project.simulatorDeck,
  warnings: project.warnings,
  description,
});

/** What may have been stored is removed; in time also if even this fails. */
async function giveUp(ports: SubmitJobPorts, jobId: JobId): Promise<void> {
  await ports.submissions.abandonSubmission(jobId).then(
    () => ports.notifier.duties(),
    () => undefined,
  );
}

/** @throws ServiceError REQUEST_INVALID, SIM_DATA_TOO_LARGE */
export function checkRequest({ limits }: SubmitJobPorts, submission: Submission): void {
  const { taskCount, title, idempotencyKey, simDataJson } = submission;
  if (!Number.isInteger(taskCount) || taskCount < 1 || taskCount > limits.ntasksMax) {
    throw invalidField('/ntasks', `must be an integer from 1 to ${limits.ntasksMax}`);
  }
  if (title.length > TITLE_LENGTH_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title)) {
    throw invalidField('/title', `must be one line of at most ${TITLE_LENGTH_MAX} characters`);
  }
  const fault = submission.sweep && sweepFault(submission.sweep);
  if (fault !== undefined) throw invalidField(fault.field, fault.message);
  checkIdempotencyKey(idempotencyKey);
  checkSimDataBytes(limits, simDataJson.byteLength);
  checkTarget(submission);
}

/** @throws ServiceError SIM_DATA_TOO_LARGE */
export function checkSimDataBytes({ simDataBytesMax }: SubmissionLimits, bytes: number): void {
  if (bytes <= simDataBytesMax) return;
  const message = `sim_data has ${bytes} bytes, more than the ${simDataBytesMax} allowed`;
  throw fail('SIM_DATA_TOO_LARGE', { message, fields: [{ field: '/sim_data', message: 'is too large' }] });
}

/**
 * Where a submission runs, what there is of executables, and what is to be said where the built-in engine stands in.
 * @throws ServiceError of resolveTarget; SIMULATOR_UNAVAILABLE, FILES_UNCONFINED
 */
export async function findTarget(ports: SubmitJobPorts, submission: Submission) {
  const target = await resolveTarget(ports, submission);
  const { executables, batch } = target;
  checkSimulator(ports, submission.simulator, executables);
  const use = await findUse(ports, executables);
  const place = batch === undefined ? 'here' : `on cluster ${batch.clusterName}`;
  const warnings = warnOfBuiltInEngine(submission.simulator, executables, use, place);
  if (batch === undefined) await checkConfinement(ports, submission, executables);
  return { ...target, use, warnings };
}

/** What the built-in engine may do. @param executables - where it would */
export async function findUse(
  { builtInEngine, findExecutables }: Pick<SubmitJobPorts, 'builtInEngine' | 'findExecutables'>,
  executables: Executables,
): Promise<BuiltInEngineUse> {
  const hasSimulators = async () => executables.size > 0 || (await findExecutables()).size > 0;
  return decideUse(builtInEngine, builtInEngine === 'auto' && (await hasSimulators()));
}

/** @throws ServiceError REQUEST_INVALID for more tasks than primaries, or fewer than the simulator can count them in */
export function checkTaskCount(taskCount: number, { primaries, taskPrimariesMax }: ConvertedProject): void {
  if (taskCount > primaries) throw invalidField('/ntasks', `must not be more than the ${primaries} primaries`);
  const fault = findShareFault(primaries, taskCount, taskPrimariesMax);
  if (fault !== undefined) throw invalidField('/ntasks', fault);
}

function checkSimulator({ converter }: SubmitJobPorts, wanted: Simulator, executables: Executables): void {
  const status = converter.listSimulators(executables).find(({ simulator }) => simulator === wanted);
  if (!status?.isAvailable) {
    const message = `This deployment cannot run ${wanted}`;
    throw fail('SIMULATOR_UNAVAILABLE', { message, fields: [{ field: '/sim_type', message: 'cannot be run here' }] });
  }
}

/** An executable reads users' own files where it is confined. On clusters it runs as the user himself. */
async function checkConfinement(
  { findConfinement }: SubmitJobPorts,
  { inputType, simulator }: Submission,
  executables: Executables,
): Promise<void> {
  if (inputType !== 'files' || !executables.has(simulator)) return;
  if ((await findConfinement()).refusingFiles.has(simulator)) throw fail('FILES_UNCONFINED');
}

/** Hashed at once at most, bytes: a few milliseconds. */
const HASH_STEP_BYTES = 1_000_000;

/** Two requests with the same hash ask for the same job; without a key nobody asks. Others are served meanwhile. */
async function hashRequest(submission: Submission): Promise<string> {
  if (submission.idempotencyKey === '') return '';
  const { platform, simulator, inputType, taskCount, title, seed, simDataJson } = submission;
  const head = [platform, simulator, inputType, taskCount, title, seed === undefined ? null : `${seed}`];
  const options = Buffer.from(submission.schedulerOptionsJson).toString('base64');
  const place = platform === 'direct' ? [] : [submission.clusterName ?? null, options];
  const choice = submission.onUnsupported === 'refuse' ? [] : [submission.onUnsupported];
  const target = submission.target === undefined ? [] : [submission.target];
  const from = submission.project === undefined ? [] : [submission.project];
  const group = submission.groupId === undefined ? [] : [{ group: submission.groupId }];
  const sweep = submission.sweep === undefined ? [] : [submission.sweep];
  const hash = createHash('sha256')
    .update(JSON.stringify([...head, ...place, ...choice, ...target, ...from, ...group, ...sweep]))
    .update('\n');
  for (let from = 0; from < simDataJson.byteLength; from += HASH_STEP_BYTES) {
    if (from > 0) await setImmediate();
    hash.update(simDataJson.subarray(from, from + HASH_STEP_BYTES));
  }
  return hash.digest('hex');
}

async function findEarlierAnswer(
  { submissions }: SubmitJobPorts,
  { ownerId, idempotencyKey }: Submission,
  requestHash: string,
): Promise<SubmissionAnswer | undefined> {
  if (idempotencyKey === '') return undefined;
  const earlier = await submissions.findAnswer(ownerId, idempotencyKey);
  if (earlier !== undefined && earlier.requestHash !== requestHash) throw fail('IDEMPOTENCY_KEY_REUSED');
  if (earlier?.failure) throw fail('BATCH_SUBMISSION_FAILED', { message: earlier.failure });
  return earlier?.answer;
}

function planJob(
  jobId: JobId,
  submission: Submission,
  project: ConvertedProject,
  {
    batch,
    executable,
    runProject,
  }: Pick<NewJob, 'batch' | 'executable'> & { readonly runProject: RunProject | undefined },
  requestHash: string,
  now: Date,
): NewJob {
  const { taskCount, idempotencyKey, target } = submission;
  checkTaskCount(taskCount, project);
  if (target !== undefined) checkTargetPage(target, project);
  const primaries = target === undefined ? project.primaries : firstChunk(target, project.primaries);
  const title = submission.title.trim() || project.title?.slice(0, TITLE_LENGTH_MAX) || UNTITLED;
  const seed = submission.seed ?? BigInt(seedFromBytes(randomBytes(8)));
  const description: JobDescription = {
    title,
    simulator: submission.simulator,
    engine: project.work.engine,
    seed: `${seed}`,
    requested_primaries: target?.maxPrimaries ?? primaries,
    submitted_at: now.toISOString(),
    ...project.problem,
    ...(runProject === undefined ? {} : { project: runProject }),
  };
  return {
    jobId,
    ownerId: submission.ownerId,
    title,
    platform: submission.platform,
    inputType: submission.inputType,
    simulator: submission.simulator,
    executable,
    origin: submission.origin,
    project: submission.project,
    groupId: submission.groupId,
    onUnsupported: submission.onUnsupported,
    sweep: submission.sweep,
    seed,
    tasks: splitPrimaries(primaries, taskCount),
    taskPrimariesMax: project.taskPrimariesMax,
    warnings: project.warnings,
    description,
    work: project.work,
    target,
    batch,
    idempotency: idempotencyKey === '' ? undefined : { key: idempotencyKey, requestHash },
  };
}
