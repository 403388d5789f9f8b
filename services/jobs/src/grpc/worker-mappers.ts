import { jobs } from '@tally/contracts';
import { keptText } from '../domain/batch/batch-report.js';
import { invalidField } from '../domain/errors.js';
import type { WorkerOutput } from '../domain/worker/report-worker-output.js';
import type { WorkerCredential } from '../domain/worker/worker-ports.js';
import type { JobUpdate, TaskUpdate } from '../domain/worker/worker-update.js';
import { readState, toSeconds } from './mappers.js';

/** Longest text that a worker may have kept, characters. */
const TEXT_LENGTH_MAX = 1_000;
/** Longest id of an attempt, characters. */
const ATTEMPT_NAME_LENGTH_MAX = 200;
const INT4_MAX = 2 ** 31 - 1;

export function readCredential(credential: jobs.WorkerCredential | undefined): WorkerCredential {
  return credential ?? { jobRef: '', updateKey: '' };
}

/** @throws ServiceError REQUEST_INVALID */
export function readJobUpdate({ state, endTime, jobDir, arrayId, collectId }: jobs.UpdateJobRequest): JobUpdate {
  return { state: readSaidState(state), endTime, jobDir: readJobDir(jobDir), arrayId, collectId };
}

const readSaidState = (state: jobs.State) => (state === jobs.State.STATE_UNSPECIFIED ? undefined : readState(state));

/** Undefined: not said. @throws ServiceError REQUEST_INVALID */
export function readJobDir(text: string | undefined): string | undefined {
  if (text !== undefined && !isLine(text, TEXT_LENGTH_MAX)) throw invalidField('/job_dir', 'is not one line of text');
  return text;
}

/** @throws ServiceError REQUEST_INVALID */
export function readTaskUpdate(request: jobs.UpdateTaskRequest): TaskUpdate {
  const { requestedPrimaries, simulatedPrimaries, estimatedTime, startTime, endTime, failure } = request;
  if (requestedPrimaries < 0n) throw invalidField('/requested_primaries', 'must be at least 0');
  if (simulatedPrimaries < 0n) throw invalidField('/simulated_primaries', 'must be at least 0');
  const estimatedSeconds = estimatedTime === undefined ? undefined : Math.round(toSeconds(estimatedTime));
  if (estimatedSeconds !== undefined && (estimatedSeconds < 0 || estimatedSeconds > INT4_MAX)) {
    throw invalidField('/estimated_time', `must be 0 to ${INT4_MAX} seconds`);
  }
  return {
    state: readSaidState(request.state),
    requestedPrimaries: requestedPrimaries === 0n ? undefined : requestedPrimaries,
    simulatedPrimaries: simulatedPrimaries === 0n ? undefined : simulatedPrimaries,
    estimatedSeconds,
    startTime,
    endTime,
    ...(failure.trim() === '' ? {} : { failure: keptText(failure) }),
  };
}

/** @throws ServiceError REQUEST_INVALID */
export function readAttemptName(text: string): string | undefined {
  if (!isLine(text, ATTEMPT_NAME_LENGTH_MAX))
    throw invalidField('/celery_id', 'is not one line of at most 200 characters');
  return text === '' ? undefined : text;
}

function isLine(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax && !/\p{Cc}/u.test(text);
}

/** The output of a task, or final results. @throws ServiceError REQUEST_INVALID */
export function readOutput({ taskId, contentHash, primaries }: jobs.ReportWorkerOutputRequest): WorkerOutput {
  if (taskId !== 0) return { kind: 'task', taskId };
  if (!/^[0-9a-f]{64}$/.test(contentHash)) throw invalidField('/content_hash', 'must be a SHA-256 in hex');
  return { kind: 'final', contentHash, primaries };
}
