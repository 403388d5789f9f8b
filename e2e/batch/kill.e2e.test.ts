import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRunDirectory, type HttpSession, removeRunDirectory, waitFor } from '@tally/testkit';
import {
  type BatchSuite,
  batchBody,
  batchEnded,
  batchReached,
  batchStatus,
  schedulerJobs,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { ended, exampleProject, flatten, results, submit } from '../fixtures/suite-fixture.js';
import { setClockWrong, wrongClockSettings } from '../fixtures/wrong-clock.js';

const PROJECT = exampleProject('proton-150mev-water', 400);

let suite: BatchSuite;
let clocks: string;
let user: HttpSession;
beforeAll(async () => {
  clocks = createRunDirectory('clocks');
  const settings = () => ({ isReachingGateway: false, nodeProgram: process.execPath });
  suite = await startBatchSuite({ settings, env: wrongClockSettings(clocks) });
  user = await suite.newSsoSession();
});
afterAll(async () => {
  await suite?.stop();
  removeRunDirectory(clocks);
});

/** The newest job of the user, once it is there. */
async function newestJob(): Promise<string> {
  const title = `killed ${process.hrtime.bigint()}`;
  const answer = user.send<{ job_id: string }>('POST', '/jobs/batch', {
    body: batchBody({ ntasks: 2, project: PROJECT, title }),
  });
  answer.catch(() => undefined);
  const job = await waitFor(
    async () => (await user.request('GET', '/user/simulations')).simulations.find((one) => one.title === title),
    { what: 'the stored job', intervalMs: 20 },
  );
  return job.job_id;
}

async function restartBridge(): Promise<void> {
  const bridge = suite.process('batch-bridge');
  await bridge.kill();
  await bridge.start();
}

/** Exactly one array, one collect job and a job that is COMPLETED. */
async function expectOne(jobId: string): Promise<void> {
  expect((await batchEnded(user, jobId, 120_000)).job_state).toBe('COMPLETED');
  const { arrays, collects } = schedulerJobs(suite, jobId);
  expect(arrays).toHaveLength(1);
  expect(collects).toHaveLength(1);
}

describe('batch-bridge killed with SIGKILL', () => {
  it('when the job is stored, before anything is on the cluster, submits it once', async () => {
    const jobId = await newestJob();
    await restartBridge();
    await expectOne(jobId);
  });

  it('when the folder is being filled, submits it once', async () => {
    const jobId = await newestJob();
    await waitFor(() => existsSync(suite.jobFolder(jobId)), { what: 'the folder', intervalMs: 5 });
    await restartBridge();
    await expectOne(jobId);
  });

  it.each([
    ['before sbatch has submitted the array', 'before', 1],
    ['after sbatch has submitted the array, before it has answered', 'after', 1],
    ['before sbatch has submitted the collect job', 'before', 2],
    ['after sbatch has submitted the collect job, before it has answered', 'after', 2],
  ] as const)(
    '%s, submits it once',
    async (_what, when, nth) => {
      const hold = suite.hold('sbatch', when, nth);
      const jobId = await newestJob();
      await hold.reached();
      await restartBridge();
      hold.release();
      await expectOne(jobId);
    },
    180_000,
  );

  it('with its clock an hour ahead, keeps the next copy waiting no longer than else', async () => {
    const mend = setClockWrong(clocks, suite.process('batch-bridge').pid, 3_600_000);
    await expectOne(await newestJob()); // whatever it stores meanwhile is of that time
    await restartBridge();
    mend(); // that was the clock of the process that is gone
    await expectOne(await newestJob());
  }, 240_000);

  it('when the job runs and when it ends, loses nothing of it', async () => {
    const jobId = await submitBatch(user, { ntasks: 2, project: exampleProject('proton-150mev-water', 60_000) });
    await batchReached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    await restartBridge();
    await batchReached(user, jobId, ({ job_tasks_status: tasks }) => tasks.some((t) => t.task_state === 'COMPLETED'));
    await restartBridge();
    await expectOne(jobId);
  });
});

describe('a cluster whose nodes cannot reach the gateway', () => {
  it('gives the same values, states, progress and logs as the direct platform: batch-bridge fetches them', async () => {
    const project = exampleProject('proton-150mev-water', 90_000);
    const jobId = await submitBatch(user, { ntasks: 3, project, seed: '7' });
    await batchReached(user, jobId, ({ job_tasks_status: tasks }) =>
      tasks.some((task) => task.task_state === 'RUNNING' && task.simulated_primaries > 0),
    );
    expect((await batchEnded(user, jobId, 600_000)).job_state).toBe('COMPLETED');
    const direct = await submit(user, { project, ntasks: 3, seed: '7' });
    await ended(user, direct, 240_000);
    expect(flatten(await results(user, jobId))).toEqual(flatten(await results(user, direct)));
    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(logfiles.task_3).toContain('reference');
    expect((await batchStatus(user, jobId)).job_tasks_status.map((task) => task.simulated_primaries)).toEqual([
      30_000, 30_000, 30_000,
    ]);
  }, 600_000);
});
