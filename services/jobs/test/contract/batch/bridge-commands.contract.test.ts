import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { freePort, waitFor } from '@tally/testkit';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { failedFor, submitted, underway } from '../../fake-bridge.js';
import { as, submission } from '../../suite.js';

let batch: BatchSuite;
const FAST = {
  sweepIntervalMs: 20,
  cleanUpIntervalMs: 50,
  callTimeoutMs: 3_000,
  batchSubmitWaitMs: 100,
  dutyRetryMaxMs: 200,
};
const onBatch = jobs.Platform.PLATFORM_BATCH;
const commandsOf = async (jobId: string) =>
  (
    await batch.suite.sql<{ kind: string }>(
      "SELECT kind FROM duties WHERE job_id = $1 AND kind <> 'remove' ORDER BY kind",
      [jobId],
    )
  ).map(({ kind }) => kind);
const toldOf = (jobId: string) =>
  batch.bridge.told.filter((text) => text.endsWith(jobId)).map((text) => text.split(' ')[0]);
const cancel = (jobId: string) => as(alice, () => batch.gateway.cancelJob({ jobId, platform: onBatch }));
const remove = (jobId: string) => as(alice, () => batch.gateway.deleteJob({ jobId }));
const told = (jobId: string, word: string, count = 1) =>
  waitFor(() => toldOf(jobId).filter((each) => each === word).length >= count, { what: `${word} of ${jobId}` });
const done = (jobId: string) =>
  waitFor(async () => (await commandsOf(jobId)).length === 0, { what: `commands of ${jobId}` });

let metricsPort = 0;
const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

beforeAll(async () => {
  metricsPort = await freePort();
  batch = await openBatchSuite({ ...FAST, submitRepeatMs: 60_000, metricsAddress: `127.0.0.1:${metricsPort}` });
});
afterEach(() => {
  batch.bridge.setDown(false);
  batch.bridge.onSubmit = async () => submitted;
});
afterAll(() => batch.stop());

/** Jobs whose submission does not reach batch-bridge: it goes away after the check. */
async function submitWhileAway(): Promise<string> {
  batch.suite.results.onInput = async () => batch.bridge.setDown(true);
  const { jobId } = await batch.submit();
  batch.suite.results.onInput = async () => {};
  return jobId;
}

describe('the command to submit', () => {
  it('is stored with the job, and goes out again after batch-bridge was away', async () => {
    const jobId = await submitWhileAway();
    expect((await batch.job(jobId)).state).toBe(jobs.State.STATE_PENDING);
    expect(await commandsOf(jobId)).toEqual(['submit']);
    expect(toldOf(jobId)).toEqual([]);
    batch.bridge.setDown(false);
    await told(jobId, 'submit');
    expect(batch.bridge.submissions.at(-1)).toMatchObject({ jobId, userId: alice, clusterName: 'alpha' });
    expect(Number(batch.bridge.submissions.at(-1)?.wait?.seconds)).toBe(0);
    expect(await commandsOf(jobId)).toEqual(['submit']);
  });

  it('is repeated at its interval while the job is open: a batch-bridge that forgot it hears of it again', async () => {
    batch.bridge.onSubmit = async () => underway;
    const { jobId } = await batch.submit();
    expect(toldOf(jobId)).toEqual(['submit']);
    const [row] = await batch.suite.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM next_try_at - now())::float8 AS seconds FROM duties WHERE job_id = $1',
      [jobId],
    );
    expect(row?.seconds).toBeGreaterThan(50);
    await batch.suite.sql('UPDATE duties SET next_try_at = now() WHERE job_id = $1', [jobId]);
    await told(jobId, 'submit', 2);
  });

  it('ends with the job, however that ended', async () => {
    const { jobId } = await batch.submit();
    await batch.report(jobId, { end: { lastTask: 0, failure: 'over' } });
    await done(jobId);
    expect(toldOf(jobId)).toEqual(['submit']);
  });

  it('that fails for good fails the job, and is not made again', async () => {
    const jobId = await submitWhileAway();
    batch.bridge.onSubmit = async () => failedFor('The host key has changed');
    batch.bridge.setDown(false);
    await told(jobId, 'submit');
    await done(jobId);
    const job = await batch.job(jobId);
    expect([job.state, job.failure]).toEqual([jobs.State.STATE_FAILED, 'SUBMISSION_FAILED: The host key has changed']);
  });

  it.each(['INVALID_ARGUMENT', 'FAILED_PRECONDITION'] as const)(
    'that batch-bridge refuses with %s fails the job: it would be refused again',
    async (status) => {
      const jobId = await submitWhileAway();
      batch.bridge.onSubmit = async () => {
        throw new ServiceError('batch-bridge', 'REFUSED', status, `refused: ${status}`);
      };
      batch.bridge.setDown(false);
      await told(jobId, 'submit');
      await done(jobId);
      const job = await batch.job(jobId);
      expect([job.state, job.failure]).toEqual([jobs.State.STATE_FAILED, `SUBMISSION_FAILED: refused: ${status}`]);
    },
  );

  it('survives the service that should have carried it out', async () => {
    const dying = await batch.suite.start({
      ...FAST,
      batchBridgeAddress: batch.bridge.address,
      sweepIntervalMs: 60_000,
    });
    const gateway = batch.suite.client('gateway', dying);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const heard = new Promise<string>((resolve) => {
      batch.bridge.onSubmit = async ({ jobId }) => {
        resolve(jobId);
        await held;
        return submitted;
      };
    });
    const call = as(alice, () => gateway.submitJob(submission({ platform: onBatch }))).catch(() => undefined);
    const jobId = await heard;
    await dying.stop(); // in the middle of the wait
    batch.bridge.onSubmit = async () => submitted;
    await told(jobId, 'submit', 2);
    release();
    await call;
  });
});

describe('the commands to cancel and to delete', () => {
  it('are carried out after batch-bridge was away, the cancel before the deletion', async () => {
    const { jobId } = await batch.submit();
    batch.bridge.setDown(true);
    await cancel(jobId);
    expect(await commandsOf(jobId)).toEqual(['cancel']);
    expect((await batch.job(jobId)).state).toBe(jobs.State.STATE_CANCELED);
    await remove(jobId);
    expect(await commandsOf(jobId)).toEqual(['cancel', 'delete']);
    await waitFor(async () => /^tally_duties_repeated\{.*kind="cancel".*\} [1-9]/m.test(await scrape()), {
      what: 'the metric',
    });
    batch.bridge.setDown(false);
    await done(jobId);
    expect(toldOf(jobId)).toEqual(['submit', 'cancel', 'delete']);
  });

  it('are left once, also by a second cancel, and not by a job that had ended', async () => {
    const { jobId } = await batch.submit();
    await Promise.all([cancel(jobId), cancel(jobId)]);
    await done(jobId);
    expect(await cancel(jobId)).toEqual({ state: jobs.State.STATE_CANCELED });
    expect(await commandsOf(jobId)).toEqual([]);
    expect(toldOf(jobId)).toEqual(['submit', 'cancel']);
    const { jobId: failed } = await batch.submit();
    await batch.report(failed, { end: { lastTask: 0, failure: 'over' } });
    await cancel(failed);
    await remove(failed);
    await done(failed);
    expect(toldOf(failed)).toEqual(['submit', 'delete']);
  });

  it('of a job that was cancelled before it was submitted take its submission back', async () => {
    const jobId = await submitWhileAway();
    await cancel(jobId);
    expect(await commandsOf(jobId)).toEqual(['cancel']);
    batch.bridge.setDown(false);
    await done(jobId);
    expect(toldOf(jobId)).toContain('cancel'); // a try to submit that was under way may still arrive
  });

  it('are not left by direct jobs', async () => {
    const { jobId } = await as(alice, () => batch.gateway.submitJob(submission()));
    await as(alice, () => batch.gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_DIRECT }));
    await remove(jobId);
    expect(await commandsOf(jobId)).toEqual([]);
  });
});

describe('commands of several copies', () => {
  it('are all carried out, and a failing one keeps no other waiting for ever', async () => {
    const copies = await Promise.all(
      [1, 2].map(() =>
        batch.suite.start({ ...FAST, batchBridgeAddress: batch.bridge.address, submitRepeatMs: 60_000 }),
      ),
    );
    const all: { jobId: string }[] = [];
    while (all.length < 25) all.push(await batch.submit()); // more than are tried at once
    batch.bridge.setDown(true);
    await Promise.all(all.map(({ jobId }) => cancel(jobId)));
    batch.bridge.setDown(false);
    await Promise.all(all.map(({ jobId }) => done(jobId)));
    for (const { jobId } of all) expect(toldOf(jobId)).toContain('cancel');
    await Promise.all(copies.map((copy) => copy.stop()));
  });
});
