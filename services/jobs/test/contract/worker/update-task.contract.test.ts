import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { credentialOf, taskUpdate } from '../../external-worker.js';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, openSuite, type Suite, submission } from '../../suite.js';

const { STATE_PENDING, STATE_RUNNING, STATE_COMPLETED, STATE_FAILED, STATE_CANCELED, STATE_UNKNOWN } = jobs.State;
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const submit = async (taskCount = 1) => (await as(alice, () => gateway.submitJob(submission({ taskCount })))).jobId;
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);
const taskOf = async (jobId: string) => (await jobOf(jobId))?.tasks[0];
const update = (jobId: string, fields: Partial<jobs.UpdateTaskRequest> = {}) =>
  gateway.updateTask(taskUpdate(jobId, fields));
/** Earlier tests leave messages: takes tasks until it is this job's. */
const claimTaskOf = async (jobId: string): Promise<string> => {
  for (;;) {
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    if (order.jobId === jobId) return attemptId;
  }
};
const APPLIED = { isApplied: true, mustStop: false };
const IGNORED = { isApplied: false, mustStop: true };

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('UpdateTask OK', () => {
  it('stores numbers that are said and not zero, and the moment', async () => {
    const jobId = await submit();
    const before = await taskOf(jobId);
    expect(await update(jobId, { simulatedPrimaries: 40n, requestedPrimaries: 900n })).toEqual(APPLIED);
    const after = await taskOf(jobId);
    expect(after).toMatchObject({ simulatedPrimaries: 40n, requestedPrimaries: 900n, state: STATE_PENDING });
    expect(after?.lastUpdateTime?.getTime()).toBeGreaterThan(before?.lastUpdateTime?.getTime() ?? Infinity);
    await update(jobId, { simulatedPrimaries: 0n, requestedPrimaries: 0n });
    expect(await taskOf(jobId)).toMatchObject({ simulatedPrimaries: 40n, requestedPrimaries: 900n });
  });

  it('makes simulated what is requested when the task is COMPLETED, and the job go on', async () => {
    const jobId = await submit();
    expect(await update(jobId, { state: STATE_RUNNING })).toEqual(APPLIED);
    expect((await jobOf(jobId))?.state).toBe(STATE_RUNNING);
    await update(jobId, { simulatedPrimaries: 3n });
    expect(await update(jobId, { state: STATE_COMPLETED })).toEqual(APPLIED);
    expect(await taskOf(jobId)).toMatchObject({ simulatedPrimaries: 1_000n, state: STATE_COMPLETED });
    expect((await jobOf(jobId))?.state).toBe(jobs.State.STATE_MERGING_QUEUED);
  });

  it('stores start and end once, and forgets the estimate with the end', async () => {
    const jobId = await submit();
    const [first, second] = [new Date('2026-01-02T03:04:05.678Z'), new Date('2027-01-01T00:00:00Z')];
    await update(jobId, { startTime: first, estimatedTime: { seconds: 90n, nanos: 0 } });
    await update(jobId, { startTime: second });
    expect(await taskOf(jobId)).toMatchObject({ startTime: first, estimatedTime: { seconds: 90n } });
    await update(jobId, { endTime: second, estimatedTime: { seconds: 10n, nanos: 0 } });
    await update(jobId, { endTime: first, estimatedTime: { seconds: 10n, nanos: 0 } });
    const task = await taskOf(jobId);
    expect(task).toMatchObject({ startTime: first, endTime: second });
    expect(task?.estimatedTime).toBeUndefined();
  });

  it.each([
    STATE_UNKNOWN,
    STATE_PENDING,
    STATE_RUNNING,
    jobs.State.STATE_MERGING_QUEUED,
    jobs.State.STATE_MERGING_RUNNING,
  ])('takes any open state from any open state (%s)', async (state) => {
    const jobId = await submit();
    await update(jobId, { state: STATE_RUNNING });
    expect(await update(jobId, { state })).toEqual(APPLIED);
    expect((await taskOf(jobId))?.state).toBe(state);
  });

  it('ignores a terminal task whole, CANCELED after FAILED or COMPLETED too', async () => {
    for (const state of [STATE_COMPLETED, STATE_FAILED]) {
      const jobId = await submit(2);
      await update(jobId, { state });
      const before = await taskOf(jobId);
      expect(await update(jobId, { state: STATE_CANCELED })).toEqual(IGNORED);
      expect(await update(jobId, { simulatedPrimaries: 5n, startTime: new Date() })).toEqual(IGNORED);
      expect(await taskOf(jobId)).toEqual(before);
    }
  });

  it('gives a worker that repeats the update that ended its task the same answer, and changes nothing', async () => {
    const jobId = await submit(2);
    const end = { state: STATE_COMPLETED, endTime: new Date('2026-01-02T03:04:05Z'), celeryId: 'w-1' };
    expect(await update(jobId, end)).toEqual(APPLIED);
    const before = await taskOf(jobId);
    expect(await update(jobId, end)).toEqual(APPLIED);
    expect(await taskOf(jobId)).toEqual(before);
    expect(await update(jobId, { ...end, endTime: new Date() })).toEqual(IGNORED);
  });

  it('replaces the attempt by a new one, and ignores the replaced one for good', async () => {
    const jobId = await submit();
    expect(await update(jobId, { celeryId: 'a', simulatedPrimaries: 1n })).toEqual(APPLIED);
    expect(await update(jobId, { celeryId: 'b', simulatedPrimaries: 2n })).toEqual(APPLIED);
    expect(await update(jobId, { celeryId: 'a', simulatedPrimaries: 3n })).toEqual(IGNORED);
    expect(await update(jobId, { celeryId: 'b', simulatedPrimaries: 4n })).toEqual(APPLIED);
    expect((await taskOf(jobId))?.simulatedPrimaries).toBe(4n);
  });

  it('tells a runner whose task an external worker reports on to stop', async () => {
    const jobId = await submit();
    const attemptId = await claimTaskOf(jobId);
    await update(jobId, { celeryId: 'w-1', simulatedPrimaries: 7n });
    expect(await runner.reportTask({ attemptId, simulatedPrimaries: 500n })).toMatchObject({ mustStop: true });
    expect(await update(jobId, { celeryId: attemptId })).toEqual(IGNORED);
    expect((await taskOf(jobId))?.simulatedPrimaries).toBe(7n);
  });

  it('fails a job of which no task delivered, with the last of them', async () => {
    const jobId = await submit(2);
    await update(jobId, { state: STATE_FAILED, failure: 'exit code 3' });
    await update(jobId, { taskId: 2, state: STATE_CANCELED });
    expect(await jobOf(jobId)).toMatchObject({
      state: STATE_FAILED,
      failure: '2 of 2 tasks failed; task 1: exit code 3',
    });
  });

  it('tells the worker of a cancelled job to stop', async () => {
    const jobId = await submit();
    await update(jobId, { state: STATE_RUNNING });
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    expect(await update(jobId, { simulatedPrimaries: 5n })).toEqual(IGNORED);
  });
});

describe('UpdateTask, when the worker is lost', () => {
  it('lets a runner do the task', async () => {
    const copy = await openSuite();
    try {
      await copy.start({ workerLeaseMs: 300, leaseMs: 200, sweepIntervalMs: 50 });
      const [forwarder, user] = [copy.client('batch-bridge'), copy.client('gateway')];
      const { jobId } = await as(alice, () => user.submitJob(submission()));
      await forwarder.updateTask(taskUpdate(jobId, { celeryId: 'w-1', state: STATE_RUNNING, simulatedPrimaries: 9n }));
      const { order } = await claimNextTask(copy.queue, copy.client('direct-runner'));
      expect(order).toMatchObject({ jobId, taskId: 1 });
      await waitFor(async () => (await forwarder.updateTask(taskUpdate(jobId, { celeryId: 'w-1' }))).mustStop, {
        what: 'the lost worker to be told to stop',
      });
    } finally {
      await copy.stop();
    }
  });
});

describe('UpdateTask NOT_FOUND', () => {
  it.each([0, 2, 2_147_483_647])('says that there is no task %s', async (taskId) => {
    const jobId = await submit();
    const refused = { status: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' };
    await expect(update(jobId, { taskId })).rejects.toMatchObject(refused);
  });
});

describe('UpdateTask INVALID_ARGUMENT', () => {
  it.each([
    ['a negative number', { simulatedPrimaries: -1n }],
    ['a negative number requested', { requestedPrimaries: -1n }],
    ['a negative estimate', { estimatedTime: { seconds: -5n, nanos: 0 } }],
    ['an attempt of several lines', { celeryId: 'a\nb' }],
  ])('refuses %s', async (_what, fields) => {
    await expect(update(await submit(), fields)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});

describe('UpdateTask UNAUTHENTICATED', () => {
  it('answers the same for a wrong key, another job’s, and a job that does not exist', async () => {
    const [mine, other] = [await submit(), await submit()];
    const nobody = '20260102-030405-00000000-0000-4000-8000-000000000000';
    const wrong: jobs.WorkerCredential[] = [
      { jobRef: mine, updateKey: 'wrong' },
      { jobRef: mine, updateKey: '' },
      { ...credentialOf(other), jobRef: mine },
      credentialOf(nobody),
      credentialOf('999999999'),
      { jobRef: 'a\0b', updateKey: 'x' },
    ];
    const answers = await Promise.all(
      wrong.map((credential) => update(mine, { credential }).catch((err: Error) => String(err))),
    );
    expect(new Set(answers)).toEqual(new Set(['ServiceError: The update key is not valid for this job']));
  });

  it('takes the internal number with the key of the job', async () => {
    const jobId = await submit();
    const [row] = await suite.sql<{ id: string }>('SELECT id FROM jobs WHERE job_id = $1', [jobId]);
    const credential = { ...credentialOf(jobId), jobRef: row?.id ?? '' };
    expect(await update(jobId, { credential })).toEqual(APPLIED);
  });
});
