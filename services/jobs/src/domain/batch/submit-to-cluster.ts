import { hasReason } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { NewJob, Notifier, SubmissionStore } from '../ports.js';
import type { BatchTarget } from './batch-ports.js';
import { type SubmitBatchPorts, submitBatch } from './submit-batch.js';

export interface SubmitToClusterPorts extends SubmitBatchPorts {
  readonly submissions: SubmissionStore;
  readonly notifier: Notifier;
  /** How long a submission waits for its cluster. */
  readonly batchSubmitWaitMs: number;
}

/**
 * The first try to submit a job that has just been stored, with the intent to submit it: whatever goes wrong here, but a
 * submission that failed for good, is repeated by the duty.
 * @throws ServiceError BATCH_SUBMISSION_FAILED; a repeat with the idempotency key gets it, too
 */
export async function submitToCluster(ports: SubmitToClusterPorts, job: NewJob, batch: BatchTarget): Promise<void> {
  const { submissions, duties, notifier, batchSubmitWaitMs } = ports;
  const { jobId, ownerId, idempotency } = job;
  try {
    const outcome = await submitBatch(ports, { ...batch, jobId, ownerId, firstTask: 1 }, batchSubmitWaitMs);
    if (outcome.kind !== 'failed') return;
    const message = `${outcome.message} (job ${jobId})`;
    if (idempotency !== undefined) await submissions.noteFailure(ownerId, idempotency.key, jobId, message);
    throw fail('BATCH_SUBMISSION_FAILED', { message });
  } catch (err) {
    if (hasReason(err, 'BATCH_SUBMISSION_FAILED')) throw err;
    await duties.repeatSubmit(jobId, 0).then(
      () => notifier.duties(),
      () => undefined, // it is due by itself, only later
    );
  }
}
