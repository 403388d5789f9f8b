import { describe, expect, it } from '@jest/globals';
import { jobRow, taskRow } from '../../../test/rows.js';
import { SILENT_NOTIFIER } from '../../../test/silent-notifier.js';
import { openDraft } from '../change.js';
import type { JobId } from '../job.js';
import type { NewJob, SubmissionStore } from '../ports.js';
import { emptySnapshot, NO_TASKS } from '../snapshot.js';
import type { BatchOutcome } from './batch-ports.js';
import { type SubmitToClusterPorts, submitToCluster } from './submit-to-cluster.js';

const jobId = 'job-1' as JobId;
const batch = { clusterName: 'alpha', schedulerOptionsJson: Buffer.from('{}') };
const job: NewJob = {
  jobId,
  ownerId: 1n,
  title: 'T',
  platform: 'batch',
  inputType: 'editor',
  simulator: 'simA',
  origin: { requestId: null, traceparent: null },
  seed: 1n,
  tasks: [],
  warnings: [],
  batch,
  idempotency: { key: 'k', requestHash: 'h' },
};

/** Ports that remember what happened, in order. */
function ports(submit: () => Promise<BatchOutcome>, storeIsDown = false) {
  const events: string[] = [];
  const unused = async () => {
    throw new Error('not part of this test');
  };
  const submissions: SubmissionStore = {
    findAnswer: unused,
    beginSubmission: unused,
    createJob: unused,
    forgetSubmission: unused,
    abandonSubmission: unused,
    deleteExpiredKeys: unused,
    noteFailure: async (_owner, key, id, failure) => void events.push(`key ${key} ${id}: ${failure}`),
  };
  const all: SubmitToClusterPorts = {
    submissions,
    bridge: {
      checkSubmission: unused,
      submitBatch: async (order, _job, waitMs) => {
        events.push(`submit ${order.jobId} to ${order.clusterName}, ${waitMs} ms`);
        return submit();
      },
      cancelBatch: unused,
      deleteBatch: unused,
    },
    batch: {
      findBatchJob: async () => ({
        ...job,
        target: { ...batch, ownerId: 1n },
        isOpen: true,
        isStopped: false,
        tasks: [],
      }),
    },
    states: {
      changeTasks: unused,
      changeJob: async (_ref, _tasks, decide) => {
        if (storeIsDown) throw new Error('no database');
        const draft = openDraft({
          ...emptySnapshot(new Date(0)),
          jobs: [{ ...jobRow, jobId, platform: 'batch' }],
          lockedJobs: new Set([jobRow.jobKey]),
          tasks: [taskRow],
          restOfTasks: new Map([[jobRow.jobKey, NO_TASKS]]),
        });
        const result = decide(draft);
        for (const ended of draft.change().jobs) events.push(`end ${ended.jobId}: ${ended.failure}`);
        return result;
      },
    },
    workerLeaseMs: 1_000,
    duties: {
      repeatSubmit: async (id, afterMs) => void events.push(`again ${id} in ${afterMs} ms`),
    },
    notifier: { ...SILENT_NOTIFIER, duties: () => void events.push('wake') },
    batchSubmitWaitMs: 400,
    submitRepeatMs: 9_000,
  };
  return { all, events };
}

describe('the first try to submit a stored job', () => {
  it.each(['submitted', 'underway'] as const)('that is %s is made again only at long intervals', async (kind) => {
    const { all, events } = ports(async () => ({ kind }));
    await submitToCluster(all, job, batch);
    expect(events).toEqual(['submit job-1 to alpha, 400 ms', 'again job-1 in 9000 ms']);
  });

  it('that batch-bridge did not hear of is made again at once, and is no error', async () => {
    const { all, events } = ports(async () => {
      throw new Error('unreachable');
    });
    await submitToCluster(all, job, batch);
    expect(events.slice(1)).toEqual(['again job-1 in 0 ms', 'wake']);
  });

  it('that failed for good ends the job, and is told to whoever repeats the request', async () => {
    const { all, events } = ports(async () => ({ kind: 'failed', message: 'no account' }));
    await expect(submitToCluster(all, job, batch)).rejects.toMatchObject({
      reason: 'BATCH_SUBMISSION_FAILED',
      message: 'no account (job job-1)',
    });
    expect(events.slice(1)).toEqual([
      'end job-1: SUBMISSION_FAILED: no account',
      'again job-1 in 9000 ms',
      'key k job-1: no account (job job-1)',
    ]);
  });

  it('whose failure cannot be stored is made again: nobody is told what may not stay true', async () => {
    const { all, events } = ports(async () => ({ kind: 'failed', message: 'no account' }), true);
    await submitToCluster(all, job, batch);
    expect(events.slice(1)).toEqual(['again job-1 in 0 ms', 'wake']);
  });
});
