import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, jobsOperator } from '@tally/contracts';
import { type ClientOf, createGrpcClient, withContext } from '@tally/service-kit';
import { testCallerToken, waitFor } from '@tally/testkit';
import { findJob } from '../../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  type Copy,
  claimNextTask,
  completeNextTask,
  mergeNext,
  openSuite,
  type Suite,
  submission,
} from '../../suite.js';

let suite: Suite;
let copy: Copy;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
let operator: ClientOf<typeof jobsOperator.JobsOperatorServiceService> & { close(): void };
const [alice, bob, root] = [1n, 2n, 9n];
const { STATE_CANCELED, STATE_COMPLETED, STATE_FAILED, STATE_MERGING_QUEUED, STATE_PENDING } = jobs.State;
const { PLATFORM_DIRECT } = jobs.Platform;
const asOperator = <T>(work: () => Promise<T>) =>
  withContext({ requestId: 'of an operator', userId: root, actingRole: 'operator' }, work);
const submit = (taskCount = 1, userId = alice) => as(userId, () => gateway.submitJob(submission({ taskCount })));
const EVERYTHING: jobsOperator.ListAllJobsRequest = {
  pageSize: 50,
  jobId: '',
  requestId: '',
  states: [],
  platform: ANY_PLATFORM,
  clusterName: '',
  runnerId: '',
  groupId: '',
};
const list = async (asked: Partial<jobsOperator.ListAllJobsRequest> = {}) =>
  (await asOperator(() => operator.listAllJobs({ ...EVERYTHING, ...asked }))).jobs;
const failed = {
  $case: 'failed' as const,
  value: { reason: 'SIMULATOR_FAILED', message: 'code 3', isRetryable: false },
};
/** A job of two tasks, one of which has delivered and one has failed; FAILED. */
async function failedInPart() {
  const { jobId } = await submit(2);
  const done = await completeNextTask(suite.queue, runner);
  const { attemptId, order } = await claimNextTask(suite.queue, runner);
  await runner.reportTaskEnd({ attemptId, outcome: failed });
  await mergeNext(suite, { jobId });
  return { jobId, failedTask: order.taskId, doneTask: done.order.taskId };
}

beforeAll(async () => {
  suite = await openSuite();
  copy = await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
  operator = createGrpcClient(jobsOperator.JobsOperatorServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller: 'gateway',
    token: testCallerToken('gateway'),
    timeoutMs: 60_000,
  });
});
afterAll(async () => {
  operator?.close();
  await suite.stop();
});

describe('who may call what operators may do', () => {
  it('is an operator alone: each RPC refuses a user without the role, and one in another role', async () => {
    const rpcs = Object.entries(jobsOperator.JobsOperatorServiceService);
    expect(rpcs.length).toBeGreaterThan(9);
    for (const [name, { requestDeserialize }] of rpcs) {
      const call = operator[name as 'listRunners'];
      const empty = requestDeserialize(Buffer.alloc(0));
      await expect(as(alice, () => call(empty))).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
      const inRole = withContext({ requestId: 'test', userId: alice, actingRole: 'user' }, () => call(empty));
      await expect(inRole).rejects.toMatchObject({ reason: 'ROLE_REQUIRED', status: 'PERMISSION_DENIED' });
    }
  });

  it('is the gateway alone', async () => {
    const other = createGrpcClient(jobsOperator.JobsOperatorServiceService, {
      target: `127.0.0.1:${copy.port}`,
      caller: 'direct-runner',
      token: testCallerToken('direct-runner'),
      timeoutMs: 60_000,
    });
    await expect(asOperator(() => other.listRunners({}))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    other.close();
  });
});

describe('ListAllJobs and ListLoads', () => {
  it('find jobs of all users by id, owner, request, state and runner, with what their tasks come to', async () => {
    const [mine, other] = [await submit(3), await submit(1, bob)];
    const { order } = await claimNextTask(suite.queue, runner, 'runner-7');
    const all = await list();
    expect(all.map(({ job, ownerId }) => [job?.jobId, ownerId])).toEqual([
      [other.jobId, bob],
      [mine.jobId, alice],
    ]);
    expect((await list({ beforeSimulationId: other.simulationId })).map(({ job }) => job?.jobId)).toEqual([mine.jobId]);
    expect((await list({ pageSize: 1 })).map(({ job }) => job?.jobId)).toEqual([other.jobId]);
    for (const found of [await list({ jobId: mine.jobId }), await list({ ownerId: alice })]) {
      expect(found.map(({ job }) => job?.jobId)).toEqual([mine.jobId]);
    }
    const [running] = await list({ runnerId: 'runner-7', states: [jobs.State.STATE_RUNNING] });
    expect(running).toMatchObject({ job: { jobId: order.jobId }, runningTaskCount: 1, runnerIds: ['runner-7'] });
    expect(await list({ runnerId: 'runner-8' })).toEqual([]);
    expect((await list({ requestId: 'test' })).length).toBe(2);
    expect(await list({ requestId: 'another' })).toEqual([]);
    const byUser = await asOperator(() => operator.listLoads({ key: jobsOperator.LoadKey.LOAD_KEY_USER }));
    expect(Object.fromEntries(byUser.loads.map(({ key, openJobCount }) => [key, openJobCount]))).toEqual({
      1: 1,
      2: 1,
    });
    const taskCount = byUser.loads.reduce((sum, load) => sum + load.runningTaskCount + load.pendingTaskCount, 0);
    expect(taskCount).toBe(4);
    const byRunner = await asOperator(() => operator.listLoads({ key: jobsOperator.LoadKey.LOAD_KEY_RUNNER }));
    expect(byRunner.loads).toMatchObject([{ key: 'runner-7', openJobCount: 1, runningTaskCount: 1 }]);
    for (const { jobId } of [mine, other]) await asOperator(() => operator.cancelAnyJob({ jobId }));
  });
});

describe('CancelAnyJob, FailAnyJob', () => {
  it("cancel another user's job, and end it with a reason that he reads", async () => {
    const [first, second] = [await submit(2), await submit(2)];
    const cancelled = await asOperator(() => operator.cancelAnyJob({ jobId: first.jobId }));
    expect(cancelled).toEqual({ state: STATE_CANCELED });
    const reason = 'the magnet is being mended';
    expect(await asOperator(() => operator.failAnyJob({ jobId: second.jobId, reason }))).toEqual({
      state: STATE_FAILED,
    });
    const job = await findJob(gateway, alice, second.jobId);
    expect(job).toMatchObject({ state: STATE_FAILED, failure: `STOPPED_BY_OPERATOR: ${reason}` });
    expect(job.tasks.map(({ state }) => state)).toEqual([STATE_CANCELED, STATE_CANCELED]);
    const again = await asOperator(() => operator.failAnyJob({ jobId: first.jobId, reason }));
    expect(again).toEqual({ state: STATE_CANCELED });
  });

  it('refuse a reason that is empty or too long, and a job that is not there', async () => {
    const { jobId } = await submit();
    for (const reason of ['', ' ', 'two\nlines', 'x'.repeat(501)]) {
      const call = asOperator(() => operator.failAnyJob({ jobId, reason }));
      await expect(call).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field: '/reason' }] });
    }
    await asOperator(() => operator.cancelAnyJob({ jobId }));
    const missing = asOperator(() => operator.failAnyJob({ jobId: 'none', reason: 'a reason' }));
    await expect(missing).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    await expect(asOperator(() => operator.cancelAnyJob({ jobId: 'none' }))).rejects.toMatchObject({
      reason: 'JOB_NOT_FOUND',
    });
  });
});

describe('RetryAnyJob', () => {
  it('runs the failed tasks again on their histories, and merges all', async () => {
    const { jobId, failedTask, doneTask } = await failedInPart();
    expect((await findJob(gateway, alice, jobId)).state).toBe(STATE_FAILED);
    const before = await suite.sql('SELECT first_history FROM tasks WHERE task_id = $1', [failedTask]);
    expect(await asOperator(() => operator.retryAnyJob({ jobId }))).toEqual({ state: STATE_PENDING, taskCount: 1 });
    const waiting = await findJob(gateway, alice, jobId);
    expect(waiting).toMatchObject({ state: STATE_PENDING, failure: '', endTime: undefined });
    const { order } = await completeNextTask(suite.queue, runner);
    expect(order).toMatchObject({ jobId, taskId: failedTask, attempt: 2 });
    expect(await suite.sql('SELECT first_history FROM tasks WHERE task_id = $1', [failedTask])).toEqual(before);
    const merged = await mergeNext(suite, { jobId });
    expect(merged).toMatchObject({ isPartial: false, taskIds: [doneTask, failedTask].toSorted((a, b) => a - b) });
    expect(await findJob(gateway, alice, jobId)).toMatchObject({ state: STATE_COMPLETED, failure: '' });
  });

  it('runs what an operator has ended again, too', async () => {
    const { jobId } = await submit(2);
    await asOperator(() => operator.failAnyJob({ jobId, reason: 'by mistake' }));
    expect(await asOperator(() => operator.retryAnyJob({ jobId }))).toEqual({ state: STATE_PENDING, taskCount: 2 });
    await completeNextTask(suite.queue, runner);
    await completeNextTask(suite.queue, runner);
    await mergeNext(suite, { jobId });
    expect((await findJob(gateway, alice, jobId)).state).toBe(STATE_COMPLETED);
    const refused = asOperator(() => operator.retryAnyJob({ jobId }));
    await expect(refused).rejects.toMatchObject({ reason: 'JOB_NOT_RETRYABLE' });
    const missing = asOperator(() => operator.retryAnyJob({ jobId: 'none' }));
    await expect(missing).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

describe('MergeAnyJob', () => {
  it('merges what was delivered once more, under the next number', async () => {
    const { jobId } = await failedInPart();
    expect(await asOperator(() => operator.mergeAnyJob({ jobId }))).toEqual({ state: STATE_MERGING_QUEUED });
    expect(await mergeNext(suite, { jobId })).toMatchObject({ isPartial: true, mergeNumber: 2 });
    expect((await findJob(gateway, alice, jobId)).state).toBe(STATE_FAILED);
  });

  it('refuses a job that has not ended, and one of which no task has delivered', async () => {
    const { jobId } = await submit();
    const merge = () => asOperator(() => operator.mergeAnyJob({ jobId }));
    await expect(merge()).rejects.toMatchObject({ reason: 'JOB_NOT_MERGEABLE' });
    await asOperator(() => operator.failAnyJob({ jobId, reason: 'it is in the way' }));
    await expect(merge()).rejects.toMatchObject({ reason: 'JOB_NOT_MERGEABLE' });
  });
});

describe('UpdateRunner', () => {
  const report = (runnerId: string) =>
    runner.reportRunner({
      runnerId,
      executables: [{ simulator: jobs.Simulator.SIMULATOR_SIM_D, version: '1.0' }],
      confinement: jobs.Confinement.CONFINEMENT_NONE,
      refusesFiles: false,
      slots: 2,
    });

  it('tells a runner that it is drained with the answer to its next report, until that is taken back', async () => {
    expect(await report('runner-1')).toEqual({ isDraining: false });
    const drain = (isDraining: boolean) =>
      asOperator(() => operator.updateRunner({ runnerId: 'runner-1', isDraining }));
    expect(await drain(true)).toEqual({ runningTaskCount: 0 });
    expect(await report('runner-1')).toEqual({ isDraining: true });
    const { runners } = await asOperator(() => operator.listRunners({}));
    expect(runners).toMatchObject([{ runnerId: 'runner-1', isDraining: true, slotCount: 2, executables: 'simD=1.0' }]);
    await drain(false);
    expect(await report('runner-1')).toEqual({ isDraining: false });
  });

  it('refuses a runner that does not live', async () => {
    const call = asOperator(() => operator.updateRunner({ runnerId: 'gone', isDraining: true }));
    await expect(call).rejects.toMatchObject({ reason: 'RUNNER_NOT_FOUND' });
  });
});

describe('UpdateSubmissionPause', () => {
  const pause = (message?: string) =>
    asOperator(() => operator.updateSubmissionPause({ platform: PLATFORM_DIRECT, message }));

  it("refuses submissions and extensions with the operator's sentence, and stores nothing of them", async () => {
    const { jobId } = await submit();
    await completeNextTask(suite.queue, runner);
    await mergeNext(suite, { jobId });
    await pause('Maintenance until 14:00');
    const refusal = { reason: 'SUBMISSIONS_PAUSED', message: 'Maintenance until 14:00', retryAfterMs: 60_000 };
    const count = async () => (await list()).length;
    const before = await count();
    const keyed = () => as(alice, () => gateway.submitJob(submission({ idempotencyKey: 'paused' })));
    await expect(keyed()).rejects.toMatchObject(refusal);
    const extend = { jobId, platform: ANY_PLATFORM, primaries: 10n, idempotencyKey: '' };
    await expect(as(alice, () => gateway.extendJob(extend))).rejects.toMatchObject(refusal);
    expect(await count()).toBe(before);
    const { pauses } = await asOperator(() => operator.listSubmissionPauses({}));
    expect(pauses).toMatchObject([{ platform: PLATFORM_DIRECT, message: 'Maintenance until 14:00' }]);
    await pause();
    expect(await keyed()).toMatchObject({ warnings: [] });
    expect((await asOperator(() => operator.listSubmissionPauses({}))).pauses).toEqual([]);
  });

  it('wants a sentence and a platform', async () => {
    await expect(pause('')).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field: '/message' }] });
    const nowhere = asOperator(() => operator.updateSubmissionPause({ platform: ANY_PLATFORM, message: 'x' }));
    await expect(nowhere).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field: '/platform' }] });
  });
});

describe('DeleteOwner', () => {
  const leave = (ownerId: bigint, more: Partial<jobsOperator.DeleteOwnerRequest> = {}) =>
    asOperator(() => operator.deleteOwner({ ownerId, isKept: false, ...more }));
  const jobsOf = async (ownerId: bigint) => (await list({ ownerId })).length;

  it('removes open and ended jobs and projects of a user, and what he still submits, and nothing of others', async () => {
    const [carol, dave] = [21n, 22n];
    const [open, kept] = [await submit(2, carol), await submit(1, dave)];
    const ended = await submit(1, carol);
    await asOperator(() => operator.cancelAnyJob({ jobId: ended.jobId }));
    expect(await leave(carol)).toEqual({ jobCount: 2, projectCount: 0 });
    const gone = async () => (await jobsOf(carol)) === 0;
    await waitFor(gone, { what: 'the removal of jobs' });
    const late = await submit(1, carol);
    await waitFor(gone, { what: 'the removal of a late job' });
    for (const { jobId } of [open, ended, late]) {
      const owed = await suite.sql('SELECT kind FROM duties WHERE job_id = $1', [jobId]);
      expect(owed.every(({ kind }) => kind === 'remove')).toBe(true); // or it is done
    }
    expect(await jobsOf(dave)).toBe(1);
    await asOperator(() => operator.cancelAnyJob({ jobId: kept.jobId }));
  });

  it('waits until it is due, and can be taken back', async () => {
    const erin = 23n;
    const { jobId } = await submit(1, erin);
    await leave(erin, { dueTime: new Date(Date.now() + 3_600_000) });
    await leave(erin, { isKept: true });
    expect(await suite.sql('SELECT 1 FROM leaving_owners WHERE owner_id = 23')).toEqual([]);
    expect(await jobsOf(erin)).toBe(1);
    await asOperator(() => operator.cancelAnyJob({ jobId }));
    await expect(leave(0n)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});

describe('UpdateQuota', () => {
  const none = {
    userId: 0n,
    groupId: '',
    processorSecondsMonth: undefined,
    storedBytes: undefined,
    runningTasks: undefined,
  };
  const set = (quota: Partial<jobsOperator.SubjectQuota>) =>
    asOperator(() => operator.updateQuota({ quota: { ...none, ...quota } }));
  const listed = async () => (await asOperator(() => operator.listQuotas({}))).quotas;

  it('holds in place of an earlier one, for users and groups, until it is taken back', async () => {
    await set({ userId: bob, processorSecondsMonth: 1, runningTasks: 2 });
    await set({ userId: bob, processorSecondsMonth: 3_600, storedBytes: 5n });
    await set({ groupId: 'physics', processorSecondsMonth: 7_200 });
    expect(await listed()).toEqual(
      expect.arrayContaining([
        { ...none, userId: bob, processorSecondsMonth: 3_600, storedBytes: 5n },
        { ...none, groupId: 'physics', processorSecondsMonth: 7_200 },
      ]),
    );
    await set({ userId: bob });
    await set({ groupId: 'physics' });
    expect(await listed()).toEqual([]);
  });

  it('is of a user or a group, with bounds that somebody can mean', async () => {
    const refused = (field: string) => ({ reason: 'REQUEST_INVALID', fields: [{ field }] });
    await expect(set({ runningTasks: 1 })).rejects.toMatchObject(refused('/user_id'));
    await expect(set({ userId: bob, groupId: 'physics' })).rejects.toMatchObject(refused('/user_id'));
    await expect(set({ userId: bob, runningTasks: -1 })).rejects.toMatchObject(refused('/running_tasks'));
    await expect(set({ groupId: 'physics', storedBytes: 1n })).rejects.toMatchObject(refused('/stored_bytes'));
    await expect(as(alice, () => operator.listQuotas({}))).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});
