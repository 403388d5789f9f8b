import { type batchBridge, type Duration, INPUT_TYPES, SIMULATORS } from '@tally/contracts';
import { type ClientOf, currentContext, ServiceError } from '@tally/service-kit';
import type { BatchBridge, BatchJob, BatchOutcome } from '../domain/batch/batch-ports.js';

/** What is left of a call's time when its wait is over: answers have to be stored and to travel, milliseconds. */
const ANSWER_MS = 5_000;

/**
 * Answers that another try would get again: the clusters' configuration has changed since the submission was checked, or
 * batch-bridge was told of the end of this job, which jobs has forgotten (a restored database).
 */
const FOR_GOOD: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'UNIMPLEMENTED']);

/** @param timeoutMs - time limit of a call, its wait not counted */
export function createBatchBridge(
  client: ClientOf<typeof batchBridge.BatchBridgeServiceService>,
  timeoutMs: number,
): BatchBridge {
  return {
    checkSubmission: async (clusterName, schedulerOptionsJson) => {
      const request = { clusterName, schedulerOptionsJson: toBuffer(schedulerOptionsJson) };
      const { wallTime, ...target } = await client.checkSubmission(request);
      return { ...target, wallTimeSeconds: wallTime && Number(wallTime.seconds) };
    },
    submitBatch: async ({ jobId, ownerId, clusterName, schedulerOptionsJson, firstTask }, job, waitMs) => {
      const untilMs = currentContext()?.deadline?.getTime() ?? Number.POSITIVE_INFINITY;
      const boundedMs = Math.max(0, Math.min(waitMs, untilMs - Date.now() - ANSWER_MS));
      const target = { clusterName, schedulerOptionsJson: toBuffer(schedulerOptionsJson) };
      const request = { jobId, userId: ownerId, ...target, spec: { ...toSpec(job), firstTask } };
      try {
        const call = { timeoutMs: boundedMs + timeoutMs };
        return toOutcome(await client.submitBatch({ ...request, wait: toDuration(boundedMs) }, call));
      } catch (err) {
        if (err instanceof ServiceError && FOR_GOOD.has(err.status)) return { kind: 'failed', message: err.message };
        throw err;
      }
    },
    cancelBatch: async (jobId, lastTask = 0) => {
      await client.cancelBatch({ jobId, lastTask });
    },
    deleteBatch: async (jobId) => {
      await client.deleteBatch({ jobId });
    },
  };
}

const toSpec = ({ simulator, inputType, seed, tasks }: BatchJob): Omit<batchBridge.JobSpec, 'firstTask'> => ({
  simulator: SIMULATORS[simulator],
  inputType: INPUT_TYPES[inputType],
  seed,
  tasks: tasks.map(({ primaries, firstHistory }) => ({ primaries, firstHistory })),
});

function toOutcome({ outcome }: batchBridge.SubmitBatchResponse): BatchOutcome {
  if (outcome?.$case === 'failed') return { kind: 'failed', message: outcome.value.message };
  return { kind: outcome?.$case ?? 'underway' };
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function toDuration(ms: number): Duration {
  return { seconds: BigInt(Math.floor(ms / 1_000)), nanos: Math.round(ms % 1_000) * 1_000_000 };
}
