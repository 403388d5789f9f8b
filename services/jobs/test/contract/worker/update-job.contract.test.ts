import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { credentialOf, jobUpdate, taskUpdate } from '../../external-worker.js';
import { findJob } from '../../shown-job.js';
import { as, completeNextTask, mergeNext, openSuite, type Suite, submission, waitForState } from '../../suite.js';

const {
  STATE_UNKNOWN,
  STATE_PENDING,
  STATE_RUNNING,
  STATE_MERGING_QUEUED,
  STATE_MERGING_RUNNING,
  STATE_COMPLETED,
  STATE_FAILED,
  STATE_CANCELED,
} = jobs.State;
const SHARED = 'one key for all the jobs of a deployment';
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const submit = async (taskCount = 1) => (await as(alice, () => gateway.submitJob(submission({ taskCount })))).jobId;
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const update = async (jobId: string, fields: Partial<jobs.UpdateJobRequest> = {}) =>
  (await gateway.updateJob(jobUpdate(jobId, fields))).isApplied;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ sweepIntervalMs: 50, leaseMs: 200, workerLeaseMs: 2_000, updateKeyShared: SHARED });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('UpdateJob OK', () => {
  it('takes any state from any open state', async () => {
    const open = [STATE_UNKNOWN, STATE_PENDING, STATE_RUNNING, STATE_MERGING_QUEUED, STATE_MERGING_RUNNING];
    for (const from of open) {
      for (const to of [...open, STATE_COMPLETED, STATE_FAILED, STATE_CANCELED]) {
        const jobId = await submit();
        await update(jobId, { state: from });
        expect(await update(jobId, { state: to })).toBe(true);
        expect((await jobOf(jobId))?.state).toBe(to);
      }
    }
  });

  it('ignores a terminal job whole', async () => {
    for (const state of [STATE_COMPLETED, STATE_FAILED, STATE_CANCELED]) {
      const jobId = await submit();
      await update(jobId, { state });
      const before = await jobOf(jobId);
      for (const next of [STATE_RUNNING, STATE_CANCELED, STATE_COMPLETED]) {
        expect(await update(jobId, { state: next, endTime: new Date(), jobDir: 'x' })).toBe(false);
      }
      expect(await jobOf(jobId)).toEqual(before);
    }
  });

  it('gives a worker that repeats the update that ended the job the same answer', async () => {
    const jobId = await submit();
    const end = { state: STATE_COMPLETED, endTime: new Date('2026-05-06T07:08:09.123Z') };
    expect(await update(jobId, end)).toBe(true);
    expect(await update(jobId, end)).toBe(true);
    expect(await update(jobId, { state: STATE_COMPLETED })).toBe(false);
    expect((await jobOf(jobId))?.endTime).toEqual(end.endTime);
  });

  it('stores the end once, also before the job has ended', async () => {
    const jobId = await submit();
    const [first, second] = [new Date('2026-01-02T03:04:05.678Z'), new Date('2027-01-01T00:00:00Z')];
    await update(jobId, { endTime: first });
    await update(jobId, { state: STATE_COMPLETED, endTime: second });
    expect((await jobOf(jobId))?.endTime).toEqual(first);
  });

  it('stores nothing of an update that says the state which the job has already, and answers as if it did', async () => {
    const jobId = await submit();
    for (const state of [STATE_RUNNING, STATE_MERGING_RUNNING]) {
      await update(jobId, { state });
      const before = await jobOf(jobId);
      expect(await update(jobId, { state, endTime: new Date('2026-01-02T03:04:05Z') })).toBe(true);
      expect(await jobOf(jobId)).toEqual(before);
    }
  });

  it('completes the open tasks of a job that is COMPLETED, cancels those of any other, and nobody runs them', async () => {
    for (const [state, taskState] of [
      [STATE_COMPLETED, STATE_COMPLETED],
      [STATE_FAILED, STATE_CANCELED],
      [STATE_CANCELED, STATE_CANCELED],
    ] as const) {
      const jobId = await submit(2);
      await gateway.updateTask(taskUpdate(jobId, { state: STATE_FAILED }));
      await update(jobId, { state });
      expect((await jobOf(jobId))?.tasks.map((task) => task.state)).toEqual([STATE_FAILED, taskState]);
      const left = await suite.sql(
        `SELECT 1 FROM attempts JOIN tasks ON tasks.id = task_key JOIN jobs ON jobs.id = job_key
         WHERE job_id = $1 AND ended_at IS NULL
         UNION ALL SELECT 1 FROM outbox JOIN jobs ON jobs.id = job_key WHERE job_id = $1`,
        [jobId],
      );
      expect(left).toEqual([]);
    }
  });

  it('stores what a cluster knows for batch jobs only', async () => {
    const [direct, batch] = [await submit(), await submit()];
    await suite.sql(`UPDATE jobs SET platform = 'batch' WHERE job_id = $1`, [batch]);
    for (const jobId of [direct, batch]) await update(jobId, { jobDir: 'run-1', arrayId: 17n, collectId: 18n });
    await update(batch, { state: jobs.State.STATE_UNSPECIFIED, arrayId: 19n });
    const rows = await suite.sql(
      'SELECT job_id, job_dir, array_id, collect_id FROM jobs WHERE job_id = ANY($1) ORDER BY job_dir NULLS FIRST',
      [[direct, batch]],
    );
    expect(rows).toEqual([
      { job_id: direct, job_dir: null, array_id: null, collect_id: null },
      { job_id: batch, job_dir: 'run-1', array_id: '19', collect_id: '18' },
    ]);
  });
});

describe('UpdateJob, when the worker that merges is lost', () => {
  it('merges a job whose tasks have all ended, whatever the worker said', async () => {
    const jobId = await submit();
    await completeNextTaskOf(jobId);
    const replaced = await suite.results.nextMerge(jobId);
    expect(await update(jobId, { state: STATE_PENDING })).toBe(true);
    replaced.answer({}); // it does not count any more
    await waitForState(gateway, alice, jobId, STATE_MERGING_RUNNING);
    expect(await mergeNext(suite, { jobId })).toMatchObject({ taskIds: [1], mergeNumber: 2 });
  });

  it('goes on with the tasks that are open', async () => {
    const jobId = await submit();
    await update(jobId, { state: STATE_MERGING_RUNNING });
    await waitForState(gateway, alice, jobId, STATE_RUNNING);
    await update(jobId, { state: STATE_CANCELED });
  });
});

/** Earlier tests leave messages: takes tasks until it is this job's. */
async function completeNextTaskOf(jobId: string): Promise<void> {
  for (;;) {
    const { order } = await completeNextTask(suite.queue, runner);
    if (order.jobId === jobId) return;
  }
}

describe('UpdateJob INVALID_ARGUMENT', () => {
  it('refuses a folder that is not one line', async () => {
    const jobId = await submit();
    const refused = update(jobId, { jobDir: 'a\nb' });
    await expect(refused).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});

describe('UpdateJob UNAUTHENTICATED', () => {
  const refused = { status: 'UNAUTHENTICATED', reason: 'UPDATE_KEY_INVALID' };

  it('takes the shared key for any job that exists', async () => {
    const jobId = await submit();
    expect(await update(jobId, { credential: { jobRef: jobId, updateKey: SHARED } })).toBe(true);
    const credential = { jobRef: 'nobody', updateKey: SHARED };
    await expect(update(jobId, { credential })).rejects.toMatchObject(refused);
  });

  it('refuses a key a day after the end of the job, by the clock of the service', async () => {
    const jobId = await submit();
    const end = { state: STATE_COMPLETED, endTime: new Date('1999-01-01T00:00:00Z') };
    await update(jobId, end);
    expect(await update(jobId, end)).toBe(true);
    await suite.sql(`UPDATE jobs SET closed_at = now() - interval '23 hours 59 minutes' WHERE job_id = $1`, [jobId]);
    expect(await update(jobId, end)).toBe(true);
    await suite.sql(`UPDATE jobs SET closed_at = now() - interval '24 hours 1 second' WHERE job_id = $1`, [jobId]);
    await expect(update(jobId, end)).rejects.toMatchObject(refused);
  });

  it('refuses it for every call of a worker, whichever way the job is named', async () => {
    const { jobId, simulationId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 2 })));
    await update(jobId, { state: STATE_COMPLETED });
    const calls = [jobId, String(simulationId)].flatMap((jobRef) => {
      const credential = { ...credentialOf(jobId), jobRef };
      const output = { credential, taskId: 1, contentHash: '' };
      return [
        () => gateway.updateJob(jobUpdate(jobId, { credential, state: STATE_COMPLETED })),
        () => gateway.updateTask(taskUpdate(jobId, { credential })),
        () => gateway.getWorkerTarget({ ...output, celeryId: '' }),
        () => gateway.getWorkerTarget({ ...output, celeryId: '', taskId: 0 }),
        () => gateway.reportWorkerOutput(output),
        () => gateway.reportWorkerOutput({ ...output, taskId: 0, contentHash: 'a'.repeat(64) }),
      ];
    });
    await suite.sql(`UPDATE jobs SET closed_at = now() - interval '23 hours 59 minutes' WHERE job_id = $1`, [jobId]);
    for (const call of calls) await call();
    await suite.sql(`UPDATE jobs SET closed_at = now() - interval '24 hours 1 second' WHERE job_id = $1`, [jobId]);
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused);
  });

  it('refuses the key of a job that was deleted', async () => {
    const jobId = await submit();
    await update(jobId, { state: STATE_FAILED });
    await as(alice, () => gateway.deleteJob({ jobId }));
    await expect(update(jobId)).rejects.toMatchObject(refused);
  });
});
