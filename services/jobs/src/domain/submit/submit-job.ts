import { createHash, randomBytes } from 'node:crypto';
import { type Branded, type Clock, newJobId } from '@tally/service-kit';
import { type Executables, isOmission, type OnUnsupported, seedFromBytes, splitPrimaries } from '@tally/simulators';
import type { BatchTarget } from '../batch/batch-ports.js';
import { type SubmitToClusterPorts, submitToCluster } from '../batch/submit-to-cluster.js';
import { fail, invalidField } from '../errors.js';
import type { InputType, JobId, Simulator, UserId } from '../job.js';
import type { JobData, NewJob, Notifier, SubmissionAnswer, SubmissionStore } from '../ports.js';
import type { ConvertedProject, ProjectConverter } from './convert-project.js';
import type { FindExecutables } from './find-executables.js';
import { type JobTarget, resolveTarget } from './resolve-target.js';

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
  /** Empty: none. */
  readonly idempotencyKey: string;
}

export interface SubmissionLimits {
  readonly ntasksMax: number;
  readonly simDataBytesMax: number;
}

export interface SubmitJobPorts {
  readonly submissions: SubmissionStore;
  readonly jobData: JobData;
  readonly converter: ProjectConverter;
  /** Undefined: this deployment has no batch platform. */
  readonly cluster: SubmitToClusterPorts | undefined;
  readonly findExecutables: FindExecutables;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly limits: SubmissionLimits;
}

export const TITLE_LENGTH_MAX = 256;
const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
const UNTITLED = 'Untitled';

/**
 * Accepts a job: checks, converts and splits it, stores its input in results and then the job itself, in one
 * transaction. When this returns, the job will run; when it throws, no job is left, and its input goes soon.
 * A batch job is then taken to its cluster, for which this waits a bounded time: when that fails for good, this throws,
 * and the job is left as FAILED. A repeat with the same idempotency key gets the first answer.
 * @throws ServiceError every reason of a submission in errors.ts
 */
export async function submitJob(ports: SubmitJobPorts, submission: Submission): Promise<SubmissionAnswer> {
  checkRequest(ports, submission);
  const requestHash = hashRequest(submission);
  const earlier = await findEarlierAnswer(ports, submission, requestHash);
  if (earlier !== undefined) return earlier;
  const { executables, batch } = await resolveTarget(ports, submission);
  checkSimulator(ports, submission.simulator, executables);
  const simData = parseSimData(submission.simDataJson);
  const converted = ports.converter.convert(submission, simData, executables);
  const job = planJob(ports, submission, converted, batch, requestHash);

  await ports.submissions.beginSubmission(job.jobId);
  let outcome: Awaited<ReturnType<SubmissionStore['createJob']>>;
  try {
    await ports.jobData.createInput({
      jobId: job.jobId,
      ownerId: job.ownerId,
      inputType: job.inputType,
      submitted: submission.simDataJson,
      deck: converted.deck,
      simulatorDeck: converted.simulatorDeck,
      warnings: converted.warnings.filter(isOmission),
    });
    outcome = await ports.submissions.createJob(job);
  } catch (err) {
    await giveUp(ports, job.jobId);
    throw err;
  }
  if (typeof outcome === 'object') {
    ports.notifier.outbox();
    if (ports.cluster !== undefined && batch !== undefined) await submitToCluster(ports.cluster, job, batch);
    return { jobId: job.jobId, simulationId: outcome.simulationId, seed: job.seed, warnings: job.warnings };
  }
  await giveUp(ports, job.jobId);
  const first = outcome === 'keyTaken' ? await findEarlierAnswer(ports, submission, requestHash) : undefined;
  if (first === undefined) throw fail('SUBMISSION_ABANDONED');
  return first;
}

/** Leaves the removal of what may have been stored to the deletions; the sweeper does it if even this fails. */
async function giveUp(ports: SubmitJobPorts, jobId: JobId): Promise<void> {
  await ports.submissions.abandonSubmission(jobId).then(
    () => ports.notifier.deletions(),
    () => undefined,
  );
}

function checkRequest({ limits }: SubmitJobPorts, submission: Submission): void {
  const { taskCount, title, idempotencyKey, simDataJson } = submission;
  if (!Number.isInteger(taskCount) || taskCount < 1 || taskCount > limits.ntasksMax) {
    throw invalidField('/ntasks', `must be an integer from 1 to ${limits.ntasksMax}`);
  }
  if (title.length > TITLE_LENGTH_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title)) {
    throw invalidField('/title', `must be one line of at most ${TITLE_LENGTH_MAX} characters`);
  }
  if (idempotencyKey.length > IDEMPOTENCY_KEY_LENGTH_MAX || idempotencyKey.includes('\0')) {
    throw invalidField('/idempotency_key', `must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`);
  }
  if (simDataJson.byteLength > limits.simDataBytesMax) {
    const message = `sim_data has ${simDataJson.byteLength} bytes, more than the ${limits.simDataBytesMax} allowed`;
    throw fail('SIM_DATA_TOO_LARGE', { message, fields: [{ field: '/sim_data', message: 'is too large' }] });
  }
}

function checkSimulator({ converter }: SubmitJobPorts, wanted: Simulator, executables: Executables): void {
  const status = converter.listSimulators(executables).find(({ simulator }) => simulator === wanted);
  if (!status?.isAvailable) {
    const message = `This deployment cannot run ${wanted}`;
    throw fail('SIMULATOR_UNAVAILABLE', { message, fields: [{ field: '/sim_type', message: 'cannot be run here' }] });
  }
}

/** Two requests with the same hash ask for the same job. */
function hashRequest(submission: Submission): string {
  const { platform, simulator, inputType, taskCount, title, seed, simDataJson } = submission;
  const head = [platform, simulator, inputType, taskCount, title, seed === undefined ? null : `${seed}`];
  const options = Buffer.from(submission.schedulerOptionsJson).toString('base64');
  const place = platform === 'direct' ? [] : [submission.clusterName ?? null, options];
  const choice = submission.onUnsupported === 'refuse' ? [] : [submission.onUnsupported];
  return createHash('sha256')
    .update(JSON.stringify([...head, ...place, ...choice]))
    .update('\n')
    .update(simDataJson)
    .digest('hex');
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

function parseSimData(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    const fields = [{ field: '/sim_data', message: 'is not JSON in UTF-8' }];
    throw fail('PROJECT_INVALID', { message: 'sim_data is not JSON', fields, cause });
  }
}

function planJob(
  ports: SubmitJobPorts,
  submission: Submission,
  project: ConvertedProject,
  batch: BatchTarget | undefined,
  requestHash: string,
): NewJob {
  const { taskCount, idempotencyKey } = submission;
  if (taskCount > project.primaries) {
    throw invalidField('/ntasks', `must not be more than the ${project.primaries} primaries`);
  }
  return {
    jobId: newJobId(ports.clock.now()) as Branded<'JobId'>,
    ownerId: submission.ownerId,
    title: submission.title.trim() || project.title?.slice(0, TITLE_LENGTH_MAX) || UNTITLED,
    platform: submission.platform,
    inputType: submission.inputType,
    simulator: submission.simulator,
    seed: submission.seed ?? BigInt(seedFromBytes(randomBytes(8))),
    tasks: splitPrimaries(project.primaries, taskCount),
    warnings: project.warnings,
    batch,
    idempotency: idempotencyKey === '' ? undefined : { key: idempotencyKey, requestHash },
  };
}
