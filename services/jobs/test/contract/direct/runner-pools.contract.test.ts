import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, openSuite, receiveTask, type Suite, submission } from '../../suite.js';

const { SIMULATOR_SIM_A, SIMULATOR_SIM_C } = jobs.Simulator;
const OLD = [{ simulator: SIMULATOR_SIM_C, version: '11.2' }];
const NEW = [{ simulator: SIMULATOR_SIM_C, version: '11.3' }];
const OMIT = jobs.OnUnsupported.ON_UNSUPPORTED_OMIT;
const alice = 1n;

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ runnerExpiryMs: 1_000, sweepIntervalMs: 50, waitTellIntervalMs: 50 });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

const CONFINED = { confinement: jobs.Confinement.CONFINEMENT_BUBBLEWRAP, refusesFiles: false };
const report = (runnerId: string, executables: jobs.SimulatorExecutable[]) =>
  runner.reportRunner({ runnerId, executables, slots: 1, ...CONFINED });
const submit = (simulator: jobs.Simulator, taskCount = 1) =>
  as(alice, () => gateway.submitJob(submission({ simulator, taskCount, onUnsupported: OMIT })));
const parkedCount = async () => (await suite.sql('SELECT 1 FROM parked_messages')).length;
const outboxCount = async () => (await suite.sql('SELECT 1 FROM outbox')).length;
const reasonOf = async (jobId: string) => (await findJob(gateway, alice, jobId)).waitingReason;
/** Asks for the next message's attempt. Undefined: the runner does not get it. */
async function claim(runnerId: string, executables: jobs.SimulatorExecutable[]) {
  const { delivery, task } = await receiveTask(suite.queue);
  const { attemptId } = task;
  const { claims } = await runner.exchangeTasks({ runnerId, progress: [], ends: [], claims: [attemptId], executables });
  await delivery.ack();
  return { attemptId, order: claims[0]?.order };
}
const cancel = (jobId: string) => as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));

describe('runners that differ', () => {
  it('get tasks of their simulator and of the version that the job has begun with, and others wait for those', async () => {
    await report('old', OLD);
    const { jobId } = await submit(SIMULATOR_SIM_C, 2);
    expect((await claim('bare', [])).order).toBeUndefined();
    await report('old', OLD);
    await waitFor(async () => (await parkedCount()) === 0, { what: 'its return' });
    const first = await claim('old', OLD);
    expect(first.order).toBeDefined();
    // the other task waits for this version, whoever asks for it
    expect((await claim('new', NEW)).order).toBeUndefined();
    await report('new', NEW);
    await waitFor(async () => (await reasonOf(jobId)) !== '', { what: 'the end of the old runner' });
    expect(await reasonOf(jobId)).toBe('it waits for a runner with simC 11.2, the version that its first task ran on');
    expect([await outboxCount(), await parkedCount()]).toEqual([0, 1]);
    await report('old', OLD);
    expect((await claim('old', OLD)).order?.taskId).toBe(first.order?.taskId === 1 ? 2 : 1);
    await waitFor(async () => (await reasonOf(jobId)) === '' && (await parkedCount()) === 0, { what: 'no reason' });
    await cancel(jobId);
  });

  it('leave room and turns to others while a simulator has no runner; its jobs say so, wait, and can be cancelled', async () => {
    await waitFor(async () => (await suite.sql('SELECT 1 FROM runners WHERE expires_at > now()')).length === 0, {
      what: 'no runner',
    });
    const { jobId, warnings } = await submit(SIMULATOR_SIM_C, 40); // more than the window
    expect(warnings.map(({ code }) => code)).not.toContain('SIMULATOR_REPLACED');
    await waitFor(async () => (await reasonOf(jobId)) === 'it waits for a runner with simC', { what: 'the reason' });
    // those that were being published at that moment follow in the next round
    await waitFor(async () => (await outboxCount()) === 0 && (await parkedCount()) === 40, {
      what: 'all of its messages',
    });
    const other = await submit(SIMULATOR_SIM_A); // the built-in engine, here
    await waitFor(
      async () => {
        return (await claim('bare', [])).order !== undefined;
      },
      { what: 'the other job' },
    );
    expect((await findJob(gateway, alice, other.jobId)).state).toBe(jobs.State.STATE_RUNNING);
    await cancel(jobId);
    expect(await findJob(gateway, alice, jobId)).toMatchObject({ state: jobs.State.STATE_CANCELED, waitingReason: '' });
    await report('old', OLD);
    await waitFor(async () => (await parkedCount()) === 0, { what: 'the end of its messages' });
    expect(await outboxCount()).toBe(0);
  });

  it('without a version take what has not begun, and fix no version', async () => {
    const UNKNOWN = [{ simulator: SIMULATOR_SIM_C, version: '' }];
    await report('unknown', UNKNOWN);
    const { jobId } = await submit(SIMULATOR_SIM_C, 2);
    expect((await claim('unknown', UNKNOWN)).order).toBeDefined();
    expect((await claim('new', NEW)).order).toBeDefined();
    await cancel(jobId);
  });
});
