import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { credentialOf, taskUpdate } from '../external-worker.js';
import {
  ANY_PLATFORM,
  as,
  claimTaskOf,
  completeNextTask,
  openSuite,
  type Suite,
  submission,
  waitForState,
} from '../suite.js';

const CALL_TIMEOUT_MS = 1_000;
const WORKER_LEASE_MS = 1_000;
const [alice, bob] = [1n, 2n];
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const submit = async (overrides: Partial<jobs.SubmitJobRequest> = {}, userId = alice) =>
  (await as(userId, () => gateway.submitJob(submission(overrides)))).jobId;
const deliverInput = (jobId: string, userId = alice) => as(userId, () => gateway.deliverInput({ jobId }));
const cancel = (jobId: string) => as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
const getTarget = (jobId: string) =>
  gateway.getWorkerTarget({ credential: credentialOf(jobId), taskId: 1, celeryId: '', contentHash: '' });
const isPending = async (jobId: string) =>
  (await suite.sql('SELECT 1 FROM pending_inputs JOIN jobs ON jobs.id = job_key WHERE job_id = $1', [jobId])).length ===
  1;
const countMessages = async (jobId: string) =>
  (await suite.sql('SELECT 1 FROM outbox JOIN jobs ON jobs.id = job_key WHERE job_id = $1', [jobId])).length;

/** Results answers no delivery of an input before it is told to. Resolves when it has one. */
function holdDeliveries() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = new Promise<string>((resolve) => {
    suite.results.onInput = async (jobId) => {
      resolve(jobId);
      await released;
    };
  });
  return { held, release };
}

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({
    storedBytesPerUserMax: 0,
    inputDeliveryTimeoutMs: CALL_TIMEOUT_MS,
    sweepIntervalMs: 50,
    inputRetryMaxMs: 100,
    inputDeliveryPauseMs: 5,
    workerLeaseMs: WORKER_LEASE_MS,
    leaseMs: WORKER_LEASE_MS,
  });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
beforeEach(() => {
  suite.results.setDown(false);
  suite.results.onInput = async () => {};
  Object.assign(suite.results, { roomBytes: undefined, isEarlierRelease: false });
});
afterAll(() => suite.stop());

describe('a small input', () => {
  it('reaches results after the answer, as it would have before it, and no task is sent before that', async () => {
    const { held, release } = holdDeliveries();
    const jobId = await submit({ taskCount: 3 });
    expect(await held).toBe(jobId);
    expect(await isPending(jobId)).toBe(true);
    expect(await countMessages(jobId)).toBe(0);
    release();
    const { order } = await claimTaskOf(jobId, suite.queue, runner);
    expect(order.taskId).toBe(1);
    expect(await isPending(jobId)).toBe(false);
    const first = await submit({ taskCount: 3, deliversInputs: false });
    const [kept, stored] = [suite.results.inputs.get(jobId), suite.results.inputs.get(first)];
    expect(kept?.documents).toEqual(stored?.documents);
    expect({ ...kept?.header, jobId: '' }).toEqual({ ...stored?.header, jobId: '' });
    expect(kept?.ownerId).toBe(alice);
  });

  it('goes with others that come while one is delivered', async () => {
    const { held, release } = holdDeliveries();
    const first = await submit();
    await held;
    const others = await Promise.all(Array.from({ length: 5 }, () => submit()));
    suite.results.onInput = async () => {};
    const before = suite.results.deliveries.length;
    release();
    await waitFor(async () => !(await Promise.all([first, ...others].map(isPending))).includes(true));
    const [together = []] = suite.results.deliveries.slice(before);
    expect(together.toSorted()).toEqual(others.toSorted());
  });

  it('goes with others in messages of at most 1 MiB', async () => {
    const { held, release } = holdDeliveries();
    await submit();
    await held;
    const large = submission({}, 1_000)
      .simDataJson.toString()
      .replace(/\}$/, `,"more":"${'x'.repeat(30_000)}"}`);
    const others = await Promise.all(Array.from({ length: 50 }, () => submit({ simDataJson: Buffer.from(large) })));
    suite.results.onInput = async () => {};
    const before = suite.results.deliveries.length;
    release();
    await waitFor(async () => !(await Promise.all(others.map(isPending))).includes(true));
    const sizes = suite.results.deliveries.slice(before).map((jobIds) => {
      const texts = jobIds.flatMap((jobId) => suite.results.inputs.get(jobId)?.documents ?? []);
      return texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    });
    expect(sizes.length).toBeLessThan(others.length / 5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(1024 * 1024);
  });

  it('is written down with its job: nothing is lost when results is down, or the copy that submitted it', async () => {
    suite.results.setDown(true);
    const jobId = await submit();
    await waitFor(async () =>
      (await suite.sql('SELECT 1 FROM pending_inputs WHERE try_count > 2')).length === 1 ? true : undefined,
    );
    expect(suite.results.inputs.has(jobId)).toBe(false);
    suite.results.setDown(false);
    await claimTaskOf(jobId, suite.queue, runner);
    expect(suite.results.inputs.has(jobId)).toBe(true);

    const { held, release } = holdDeliveries();
    const orphan = await submit();
    await held;
    // as if its copy had died long ago
    await suite.sql("UPDATE pending_inputs SET next_try_at = now() - interval '1 s'");
    suite.results.onInput = async () => {};
    const others = await suite.start({ storedBytesPerUserMax: 0, sweepIntervalMs: 50 });
    await waitFor(async () => !(await isPending(orphan)));
    expect(suite.results.inputs.has(orphan)).toBe(true);
    await others.stop();
    release();
  });

  it('is stored first by a caller that does not ask for it, when it is too large, or when there is no room for it', async () => {
    const large = submission({}, 1_000)
      .simDataJson.toString()
      .replace(/\}$/, `,"more":"${'x'.repeat(70_000)}"}`);
    for (const fields of [{ deliversInputs: false }, { simDataJson: Buffer.from(large) }]) {
      const { held, release } = holdDeliveries();
      const submitting = submit(fields);
      const jobId = await held;
      expect(await suite.sql('SELECT 1 FROM jobs WHERE job_id = $1', [jobId])).toEqual([]);
      release();
      expect(await submitting).toBe(jobId);
    }
    const copy = await suite.start({ storedBytesPerUserMax: 1_000_000 });
    const limited = suite.client('gateway', copy);
    const isKept = async () => {
      const before = suite.results.deliveries.length;
      const { jobId } = await as(bob, () => limited.submitJob(submission()));
      await waitFor(() => suite.results.inputs.has(jobId));
      return suite.results.deliveries.length > before;
    };
    expect(await isKept()).toBe(false); // what is not known is asked
    suite.results.roomBytes = 60_000n;
    expect(await isKept()).toBe(false);
    expect([await isKept(), suite.results.roomBytes]).toEqual([true, 60_000n]);
    suite.results.roomBytes = 100n;
    await waitFor(async () => !(await isKept())); // a delivery has said so
    await copy.stop();
  });

  it('is delivered to results of the release before, one by one', async () => {
    suite.results.isEarlierRelease = true;
    const jobIds = await Promise.all(Array.from({ length: 3 }, () => submit()));
    await waitFor(() => jobIds.every((jobId) => suite.results.inputs.has(jobId)));
    await waitFor(async () => !(await Promise.all(jobIds.map(isPending))).includes(true));
  });

  it('is one with an idempotency key, however often and however much at once it is sent', async () => {
    const idempotencyKey = randomUUID();
    const jobIds = await Promise.all(Array.from({ length: 6 }, () => submit({ idempotencyKey })));
    expect(new Set(jobIds).size).toBe(1);
    expect(await submit({ idempotencyKey })).toBe(jobIds[0]);
    expect(await suite.sql('SELECT 1 FROM submissions')).toEqual([]);
  });

  it('fails its job, and no other, when results refuses it for good', async () => {
    const { held, release } = holdDeliveries();
    await submit();
    await held;
    const [bad, good] = [await submit({ taskCount: 2 }), await submit()];
    suite.results.onInput = async (jobId) => {
      if (jobId === bad) throw new ServiceError('results', 'UPLOAD_INVALID', 'INVALID_ARGUMENT', 'A document is wrong');
    };
    release();
    const failed = await waitForState(gateway, alice, bad, jobs.State.STATE_FAILED);
    expect(failed.failure).toContain('DECK_INVALID: A document is wrong');
    expect(failed.tasks.map(({ state }) => state)).toEqual([jobs.State.STATE_FAILED, jobs.State.STATE_FAILED]);
    expect(await countMessages(bad)).toBe(0);
    await claimTaskOf(good, suite.queue, runner);
    await waitFor(async () => !(await isPending(bad)));
  });

  it('is removed with its job, also when the job is deleted while it is delivered', async () => {
    const { held, release } = holdDeliveries();
    const jobId = await submit();
    await held;
    await cancel(jobId);
    await as(alice, () => gateway.deleteJob({ jobId }));
    release();
    await waitFor(() => suite.results.inputs.has(jobId)); // the delivery was under way
    await waitFor(() => suite.results.deleted.includes(jobId), { timeoutMs: 10 * CALL_TIMEOUT_MS });
    expect(suite.results.inputs.has(jobId)).toBe(false);
  });

  it('is waited for by what comes next: attempts that follow a lost worker have messages only then', async () => {
    suite.results.setDown(true);
    const jobId = await submit();
    await gateway.updateTask(taskUpdate(jobId, { state: jobs.State.STATE_RUNNING }));
    await waitForState(gateway, alice, jobId, jobs.State.STATE_RUNNING);
    const attempts = () =>
      suite.sql(
        `SELECT 1 FROM attempts JOIN tasks ON tasks.id = task_key JOIN jobs ON jobs.id = job_key
         WHERE job_id = $1 AND attempts.ended_at IS NULL AND runner_id IS NULL`,
        [jobId],
      );
    await waitFor(async () => (await attempts()).length === 1, { timeoutMs: 10 * WORKER_LEASE_MS });
    expect(await countMessages(jobId)).toBe(0);
    suite.results.setDown(false);
    const { order } = await claimTaskOf(jobId, suite.queue, runner);
    expect(order.taskId).toBe(1);
  });

  it('leaves nothing where a quota refuses the job', async () => {
    const copy = await suite.start({ storedBytesPerUserMax: 0, openJobsPerUserMax: 1 });
    const limited = suite.client('gateway', copy);
    const carol = 3n;
    await as(carol, () => limited.submitJob(submission()));
    const refused = as(carol, () => limited.submitJob(submission({ idempotencyKey: 'k' })));
    await expect(refused).rejects.toMatchObject({ reason: 'QUOTA_EXCEEDED' });
    await waitFor(async () => (await suite.sql('SELECT 1 FROM pending_inputs')).length === 0);
    for (const table of ['submissions', 'deletions', 'idempotency_keys']) {
      const ofKey = table === 'idempotency_keys' ? " WHERE key = 'k'" : '';
      expect(await suite.sql(`SELECT 1 FROM ${table}${ofKey}`)).toEqual([]);
    }
    await copy.stop();
  });

  it('is there before a copy of the service has stopped', async () => {
    const copy = await suite.start({ storedBytesPerUserMax: 0, inputDeliveryPauseMs: 300 });
    const client = suite.client('gateway', copy);
    const submitted = Array.from({ length: 3 }, () => as(alice, () => client.submitJob(submission())));
    const jobIds = (await Promise.all(submitted)).map(({ jobId }) => jobId);
    await copy.stop();
    expect(jobIds.filter((jobId) => !suite.results.inputs.has(jobId))).toEqual([]);
  });
});

describe('DeliverInput and GetWorkerTarget', () => {
  it('resolve when results has the input, whichever copy of the service delivers it', async () => {
    const other = await suite.start({ storedBytesPerUserMax: 0, sweepIntervalMs: 50 });
    for (const copy of [undefined, other]) {
      const client = suite.client('gateway', copy);
      const { held, release } = holdDeliveries();
      const jobId = await submit();
      await held;
      const answers: string[] = [];
      const target = { credential: credentialOf(jobId), taskId: 1, celeryId: '', contentHash: '' };
      const calls = [
        as(alice, () => client.deliverInput({ jobId })).then(() => answers.push('delivered')),
        client.getWorkerTarget(target).then(() => answers.push('target')),
      ];
      await as(bob, () => client.deliverInput({ jobId })); // nobody else's business, and no word about it
      expect(answers).toEqual([]);
      release();
      await Promise.all(calls);
      expect(suite.results.inputs.has(jobId)).toBe(true);
      expect(await isPending(jobId)).toBe(false);
    }
    await other.stop();
  });

  it('say so while results is down', async () => {
    suite.results.setDown(true);
    const jobId = await submit();
    for (const call of [() => deliverInput(jobId), () => getTarget(jobId)]) {
      await expect(call()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    }
    suite.results.setDown(false);
    await deliverInput(jobId);
    expect(suite.results.inputs.has(jobId)).toBe(true);
  });

  it('resolve at once for a job that has been delivered, and for none', async () => {
    const jobId = await submit();
    await completeNextTask(suite.queue, runner).catch(() => {});
    await waitFor(async () => !(await isPending(jobId)));
    await deliverInput(jobId);
    await deliverInput('20260101-000000-none');
  });
});

describe('DeliverInput PERMISSION_DENIED', () => {
  it('refuses callers other than the gateway', async () => {
    const call = as(alice, () => runner.deliverInput({ jobId: 'x' }));
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
