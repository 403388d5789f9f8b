import type { Decision } from '@tally/service-kit';
import type { NewJob, SubmissionStore } from '../domain/ports.js';
import { quotaFault, roomFor, type SubmissionQuotas } from '../domain/submit/quotas.js';
import type { Database } from './database.js';
import type { EventAnnouncer } from './event-announcer.js';
import {
  abandonSubmission,
  beginSubmission,
  deleteExpiredKeys,
  deleteKey,
  findAnswer,
  insertJob,
  lockSubmission,
  primariesMax,
  storeAnswer,
  usageOfOwner,
} from './statements/submissions.js';
import { writeNewJobEvent } from './statements/write-events.js';

export interface SubmissionSettings {
  readonly idempotencyKeyHours: number;
  /** Data of a submission that failed is removed after this time: until then a late call may still store some. */
  readonly removalDelayMs: number;
  /** A submission that has not become a job after this time has failed. */
  readonly submissionTimeoutMs: number;
  /** Whoever submits a batch job tells batch-bridge itself; only after this time the duty does. */
  readonly submitDelayMs: number;
  readonly quotas: SubmissionQuotas;
}

export function createSubmissionStore(
  database: Database,
  settings: SubmissionSettings,
  announce: EventAnnouncer,
): SubmissionStore {
  const { removalDelayMs, submissionTimeoutMs } = settings;
  return {
    findAnswer: async (ownerId, key) => {
      const row = await database.row(findAnswer(ownerId, key));
      if (row === undefined) return undefined;
      const { requestHash, jobId, jobKey, seed, warnings, failure } = row;
      const answer = { jobId, jobKey: jobKey ?? undefined, seed: BigInt(seed), warnings };
      return { requestHash, answer, failure };
    },
    noteFailure: async (ownerId, key, jobId, failure) => {
      await database.client.idempotencyKey.updateMany({ where: { ownerId, key, jobId }, data: { failure } });
    },
    beginSubmission: async (jobId, ownerId) =>
      (await database.row(beginSubmission(jobId, ownerId, submissionTimeoutMs)))?.storedBytesMax ?? undefined,
    createJob: async (job) => {
      const outcome = await createJob(database, job, settings);
      if (typeof outcome === 'object' && 'jobKey' in outcome) announce([job.ownerId]);
      return outcome;
    },
    forgetSubmission: async (jobId) => {
      await database.client.duty.deleteMany({ where: { jobId, kind: 'remove', tryCount: 0 } });
    },
    abandonSubmission: async (jobId) => {
      await database.run(abandonSubmission(jobId, removalDelayMs));
    },
    deleteExpiredKeys: async () => {
      await database.run(deleteExpiredKeys());
    },
  };
}

/** What happens in between: whoever sweeps waits for the write-ahead row, and then finds it gone. */
function createJob(database: Database, job: NewJob, settings: SubmissionSettings) {
  const { idempotencyKeyHours, quotas } = settings;
  const { jobId, idempotency } = job;
  const key = idempotency === undefined ? [] : [storeAnswer(job, idempotency, idempotencyKeyHours)];
  const asked = { openTaskCount: job.tasks.length, queuedPrimaries: primariesMax(job) };
  const usage = usageOfOwner(job, roomFor(quotas, asked));
  type Outcome = Awaited<ReturnType<SubmissionStore['createJob']>>;
  return database.change([lockSubmission(job), usage, ...key], (ours, [used], keys): Decision<Outcome> => {
    if (ours.length === 0) return { save: [], result: 'abandoned' };
    if (keys?.length === 0) return { save: [], result: 'keyTaken' };
    const refuse = (result: Outcome) => ({
      save: idempotency === undefined ? [] : [deleteKey(job, idempotency)],
      result,
    });
    const paused = used?.pauses?.[job.platform];
    if (paused !== undefined) return refuse({ paused });
    const exceeded = used && quotaFault(quotas, used, asked);
    if (exceeded !== undefined) return refuse({ exceeded });
    const toOutcome = ([inserted]: readonly unknown[][]) => {
      const [row] = (inserted ?? []) as { readonly id: bigint }[];
      if (row === undefined) throw new Error(`job ${jobId} was not stored`);
      return { jobKey: row.id };
    };
    return { save: [insertJob(job, settings.submitDelayMs), writeNewJobEvent(job)], result: toOutcome };
  });
}
