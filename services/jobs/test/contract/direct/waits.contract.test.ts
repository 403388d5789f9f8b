import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { findJob } from '../../shown-job.js';
import { as, claimNextTask, completeNextTask, openSuite, type Suite, submission } from '../../suite.js';

const [alice, bob] = [1n, 2n];
const QUICK = { waitToldAfterMs: 100, waitTellIntervalMs: 20, sweepIntervalMs: 50, dutyRetryMaxMs: 100 };
const NO_RUNNER = 'it waits for a runner: none is there at the moment';
const OFFERED = 'it waits for a runner to take its tasks; they are offered again until one does';
const BUSY = 'it waits for its turn: the runners are busy with other tasks';
const OWN_TASKS = 'it waits for its turn: as many tasks of its owner run as one user may have running';
const MERGE = 'its results wait to be merged: the service that merges them does not answer; it is asked again';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
beforeEach(async () => {
  suite = await openSuite();
});
afterEach(() => suite.stop());

async function start(settings: Parameters<Suite['start']>[0] = {}): Promise<void> {
  await suite.start({ ...QUICK, ...settings });
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
}
const live = () =>
  runner.reportRunner({
    runnerId: 'runner-1',
    executables: [],
    slots: 1,
    confinement: jobs.Confinement.CONFINEMENT_BUBBLEWRAP,
    refusesFiles: false,
  });
const submit = (owner: bigint, taskCount = 1) => as(owner, () => gateway.submitJob(submission({ taskCount })));
const told = (owner: bigint, jobId: string, reason: string) =>
  waitFor(async () => (await findJob(gateway, owner, jobId)).waitingReason === reason, {
    what: reason === '' ? 'no reason' : reason,
  });

describe('a job on the direct platform that nobody works on', () => {
  it('says that no runner is there, that none takes its tasks, and that others are before it; and nothing once it runs', async () => {
    await start();
    const { jobId } = await submit(alice);
    await told(alice, jobId, NO_RUNNER);
    await live();
    await told(alice, jobId, OFFERED);
    await claimNextTask(suite.queue, runner);
    expect((await findJob(gateway, alice, jobId)).waitingReason).toBe('');
    const later = await submit(bob);
    await told(bob, later.jobId, BUSY);
    await told(alice, jobId, '');
  });

  it('says so, too, while a task of it waits for another attempt', async () => {
    await start();
    await live();
    const { jobId } = await submit(alice);
    const { attemptId } = await claimNextTask(suite.queue, runner);
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'released', value: {} } });
    await told(alice, jobId, OFFERED);
    expect((await findJob(gateway, alice, jobId)).state).toBe(jobs.State.STATE_RUNNING);
    await completeNextTask(suite.queue, runner);
    await told(alice, jobId, '');
  });

  it('says that other tasks of its owner are to end first, where one may have no more', async () => {
    await start({ runningTasksPerUserMax: 1 });
    await live();
    await submit(alice);
    await claimNextTask(suite.queue, runner);
    const { jobId } = await submit(alice);
    await told(alice, jobId, OWN_TASKS);
  });
});

describe('a job whose results cannot be merged', () => {
  it('says so from the first try on until it is merged', async () => {
    await start();
    const { jobId } = await submit(alice);
    suite.results.setDown(true);
    await completeNextTask(suite.queue, runner);
    await told(alice, jobId, MERGE);
    suite.results.setDown(false);
    (await suite.results.nextMerge(jobId)).answer({});
    await told(alice, jobId, '');
    expect((await findJob(gateway, alice, jobId)).state).toBe(jobs.State.STATE_COMPLETED);
  });
});
