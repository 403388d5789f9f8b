import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import {
  type BatchStatus,
  type BatchSuite,
  batchEnded,
  batchReached,
  programOnCluster,
  schedulerJobs,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { exampleProject, results } from '../fixtures/suite-fixture.js';

/** Never ends, and does as it is told by SIGTERM. */
const HANGS = 'setInterval(() => {}, 1000);';
/** Takes more and more memory. */
const HOGS = 'const all = []; setInterval(() => all.push(Buffer.alloc(64e6, 1)), 100);';

let suite: BatchSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startBatchSuite({
    cluster: { cpusPerNode: 4 },
    settings: (cluster) => ({
      simulators: {
        simB: programOnCluster(cluster, 'hangs', HANGS),
        simC: programOnCluster(cluster, 'hogs', HOGS),
      },
    }),
    env: { BATCH_WARNING_SECONDS: '20' },
  });
  user = await suite.newSsoSession();
});
afterAll(() => suite?.stop());

const SMALL = exampleProject('proton-150mev-water', 400);
/** One that the decks of all simulators can say. */
const PORTABLE = exampleProject('proton-bone-slab', 400);
const LONG = exampleProject('proton-150mev-water', 250_000);
/** Outlasts what it takes batch-bridge to find that a cluster does not answer. */
const LONGER = exampleProject('proton-150mev-water', 1_000_000);
/** The service has asked the scheduler, and knows what it says now. */
async function nextLook(): Promise<void> {
  const count = suite.calls('squeue').length;
  await waitFor(() => suite.calls('squeue').length >= count + 2, { what: 'two more looks at the queue' });
}
const isRunning = ({ job_tasks_status: tasks }: BatchStatus) => tasks.every((task) => task.task_state === 'RUNNING');
const failures = ({ job_tasks_status: tasks }: BatchStatus) => tasks.map((task) => task.failure ?? '');

describe('a task on a cluster', () => {
  it('that runs into its time limit FAILS and says so', async () => {
    const jobId = await submitBatch(user, { ntasks: 1, sim_type: 'simB', project: PORTABLE, options: { time: '1' } });
    const status = await batchEnded(user, jobId, 150_000);
    expect(status.job_state).toBe('FAILED');
    expect(failures(status)[0]).toMatch(/wall time limit|TIMEOUT/);
    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(logfiles.task_1).toMatch(/stopping the simulator/);
  });

  it('that takes more memory than it asked for FAILS with the reason of the scheduler', async () => {
    const jobId = await submitBatch(user, { ntasks: 1, sim_type: 'simC', project: PORTABLE, options: { mem: '300M' } });
    const status = await batchEnded(user, jobId, 120_000);
    expect(status.job_state).toBe('FAILED');
    expect(failures(status)[0]).toMatch(/memory|OUT_OF_MEMORY|0:9|signal 9|SIGKILL/i);
  });

  it('whose node is set down runs again on another one, and the job says so and COMPLETES', async () => {
    const jobId = await submitBatch(user, { ntasks: 2, project: LONG, options: { mem: '2500M' } }); // one a node
    await batchReached(user, jobId, isRunning);
    await nextLook();
    await suite.cluster.fault('down', 'sim2');
    const waiting = await batchReached(user, jobId, ({ waiting_reason: why }) => why !== undefined);
    expect(waiting.waiting_reason).toMatch(/has stopped a task, to be run again: PENDING/);
    const status = await batchEnded(user, jobId, 180_000);
    await suite.cluster.fault('resume', 'sim2').catch(() => undefined); // a live node may be back by itself
    expect([status.job_state, status.waiting_reason]).toEqual(['COMPLETED', undefined]);
    expect(await results(user, jobId)).toMatchObject({ partial: false, tasks_merged: 2 });
    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(
      Object.values(logfiles)
        .join()
        .match(/run \d+-1$/gm),
    ).toHaveLength(1);
  });
});

describe('a job goes on to COMPLETED', () => {
  it('over a restart of the controller', async () => {
    const jobId = await submitBatch(user, { ntasks: 4, project: LONG });
    await batchReached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    await waitForSavedState(jobId);
    await suite.cluster.fault('crash', 'ctld');
    await suite.cluster.fault('start', 'ctld');
    expect((await batchEnded(user, jobId, 180_000)).job_state).toBe('COMPLETED');
    expect(schedulerJobs(suite, jobId).arrays).toHaveLength(1);
  });

  it('over the death of sshd, which it reports while it lasts', async () => {
    const jobId = await submitBatch(user, { ntasks: 4, project: LONGER });
    await batchReached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    await suite.cluster.fault('crash', 'sshd');
    const waiting = await batchReached(user, jobId, ({ waiting_reason: why }) => why !== undefined);
    expect(waiting.waiting_reason).toMatch(/cannot be reached|connection/i);
    await suite.cluster.fault('start', 'sshd');
    const status = await batchEnded(user, jobId, 180_000);
    expect(status.job_state).toBe('COMPLETED');
    expect(status.waiting_reason).toBeUndefined();
  });

  it('when batch-bridge is killed while it runs', async () => {
    const jobId = await submitBatch(user, { ntasks: 4, project: LONG });
    await batchReached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    const bridge = suite.process('batch-bridge');
    await bridge.kill();
    await bridge.start();
    expect((await batchEnded(user, jobId, 180_000)).job_state).toBe('COMPLETED');
  });
});

describe('a submission', () => {
  it('to a cluster that cannot be reached is answered 500, with the reason and with it in the log', async () => {
    await suite.cluster.fault('crash', 'sshd');
    // 202 where another service was too slow for the first attempt: then the job is retried, and is not refused any more.
    // A connection that was open before may break only under the next command, of which it is not known whether it was carried out
    const body = await waitFor(
      async () => {
        const { status, body: refusal } = await submitted({});
        return status === 500 && !/connection to the cluster broke/.test(refusal.message) ? refusal : undefined;
      },
      { what: 'a submission to be refused' },
    );
    await suite.cluster.fault('start', 'sshd');
    expect(body.message).toMatch(/cannot be reached/);
    const jobId = /\d{8}-\d{6}-[0-9a-f-]{36}/.exec(body.message)?.[0] ?? 'no job id in the message';
    const failed = await batchEnded(user, jobId);
    expect(failed.job_state).toBe('FAILED');
    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(Object.values(logfiles).join()).toMatch(/cannot be reached|ECONNREFUSED/);
  });

  it('that the scheduler refuses is answered 500 in its own words', async () => {
    const answer = await waitFor(
      async () => {
        const tried = await submitted({ constraint: 'no-such-feature' });
        return tried.body.message.includes('cannot be reached') ? undefined : tried;
      },
      { what: 'the cluster to be tried again', intervalMs: 500 },
    );
    expect(answer.status).toBe(500);
    expect(answer.body.message).toMatch(/invalid feature/i);
  });
});

function submitted(options: Record<string, string>) {
  return user.send<{ message: string }>('POST', '/jobs/batch', {
    body: {
      sim_type: 'simA',
      input_type: 'editor',
      ntasks: 1,
      sim_data: SMALL,
      batch_options: { scheduler_options: options },
    },
  });
}

/** slurmctld saves its state a while after each change; what it has not saved, a crash makes it forget. */
async function waitForSavedState(jobId: string): Promise<void> {
  const mark = `saved-${jobId}`;
  for (const array of schedulerJobs(suite, jobId).arrays)
    suite.slurm('scontrol', 'update', `JobId=${array}`, `AdminComment=${mark}`);
  const saved = path.join(suite.cluster.facts.dir, 'state/job_state');
  await waitFor(() => existsSync(saved) && readFileSync(saved).includes(mark), {
    what: 'the controller to have saved its state',
  });
}
