import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import {
  type BatchSuite,
  batchBody,
  batchEnded,
  batchReached,
  batchStatus,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { exampleProject } from '../fixtures/suite-fixture.js';

/** Six rounds of the poller are watched; in production a round is a minute long. */
const POLL_MS = 5_000;
const ROUNDS = 6;
const TASKS = 1_000;
const STATUS_REQUESTS = 1_000;
const STATUS_PER_SECOND = 200;

let suite: BatchSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startBatchSuite({ runners: 1, env: { BATCH_POLL_INTERVAL_MS: String(POLL_MS) } });
  user = await suite.newSsoSession();
});
afterAll(() => suite?.stop());

const queries = () => suite.calls('squeue').length + suite.calls('sacct').length;

describe('a job of 1000 tasks', () => {
  it('makes one SSH connection, two submissions, and at most two queries in a round of the poller', async () => {
    const [logins, asked, submitted] = [suite.loginCount(), queries(), suite.calls('sbatch').length];
    const jobId = await submitBatch(user, { ntasks: TASKS, project: exampleProject('proton-150mev-water', TASKS) });
    const started = Date.now();
    await batchReached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    const polls = suite.calls('squeue').length + ROUNDS;
    await waitFor(() => suite.calls('squeue').length >= polls, { what: 'six rounds', timeoutMs: 120_000 });
    const rounds = Math.ceil((Date.now() - started) / POLL_MS) + 1;
    expect(suite.loginCount() - logins).toBeLessThanOrEqual(1);
    expect(suite.calls('sbatch').length - submitted).toBe(2);
    // a look for the array before the collect job depends on it belongs to the submission
    expect(queries() - asked).toBeLessThanOrEqual(2 * rounds + 2);
    const { job_tasks_status: tasks } = await batchStatus(user, jobId);
    expect(tasks).toHaveLength(TASKS);

    const { job_state } = await user.request('DELETE', '/jobs/batch', { query: { job_id: jobId } });
    expect(job_state).toBe('CANCELED');
    const inQueue = () => suite.slurm('squeue', '-h', '-o', '%j').includes(jobId);
    await waitFor(() => !inQueue(), { what: 'an empty queue' });
  });
});

describe('200 status requests a second', () => {
  it('make no SSH traffic at all', async () => {
    const jobId = await submitBatch(user, { ntasks: 1, project: exampleProject('proton-150mev-water', 100) });
    await batchEnded(user, jobId);
    const silent = () => [suite.loginCount(), queries(), suite.calls('scontrol').length].join();
    // nothing of it is open any more: from here on, whatever reaches the cluster comes of the requests
    let before = silent();
    await waitFor(
      async () => {
        await sleep(2 * POLL_MS);
        const now = silent();
        const isSame = now === before;
        before = now;
        return isSame;
      },
      { what: 'a poller at rest' },
    );
    const started = Date.now();
    const answers: Promise<unknown>[] = [];
    while (answers.length < STATUS_REQUESTS) {
      const due = Math.min(STATUS_REQUESTS, Math.ceil(((Date.now() - started) / 1_000) * STATUS_PER_SECOND) + 1);
      while (answers.length < due) answers.push(batchStatus(user, jobId));
      await sleep(5);
    }
    await Promise.all(answers);
    const perSecond = (1_000 * STATUS_REQUESTS) / (Date.now() - started);
    expect(silent()).toBe(before);
    process.stdout.write(`status requests: ${Math.round(perSecond)} per second, no SSH traffic\n`);
  });
});

describe('hostile texts', () => {
  const CANARY = 'canary-of-hostile-texts';
  const HOSTILE = [
    `"; touch ${CANARY}; "`,
    `'; touch ${CANARY}; '`,
    `$(touch ${CANARY})`,
    `\`touch ${CANARY}\``,
    `x\ntouch ${CANARY}\n`,
    `--wrap=touch ${CANARY}`,
    '-rf',
    `../../${CANARY}`,
    `a\0touch ${CANARY}`,
    'x'.repeat(10_000),
  ];
  const project = exampleProject('proton-150mev-water', 10);

  it('as option values, option names and cluster names are answered 400', async () => {
    for (const text of HOSTILE) {
      for (const batch_options of [
        { scheduler_options: { partition: text } },
        { scheduler_options: { time: text } },
        { scheduler_options: { account: text } },
        { scheduler_options: { constraint: text } },
        { scheduler_options: { [text]: '1' } },
        { cluster_name: text },
      ]) {
        const { status } = await user.send('POST', '/jobs/batch', {
          body: { ...batchBody({ project, ntasks: 1 }), batch_options },
        });
        expect([status, text, batch_options]).toEqual([400, text, batch_options]);
      }
    }
  });

  it('as titles and file names are refused or harmless', async () => {
    const jobs: string[] = [];
    for (const text of HOSTILE) {
      const { status, body } = await user.send<{ job_id: string }>('POST', '/jobs/batch', {
        body: batchBody({ project, ntasks: 1, title: text }),
      });
      expect([202, 400]).toContain(status);
      if (status === 202) jobs.push(body.job_id);
      const files = await user.send('POST', '/jobs/batch', {
        body: { sim_type: 'simA', input_type: 'files', ntasks: 1, sim_data: { 'beam.dat': '', [text]: 'x' } },
      });
      expect(files.status).toBe(400);
    }
    expect(jobs.length).toBeGreaterThan(0);
    for (const jobId of jobs) expect((await batchEnded(user, jobId, 120_000)).job_state).toBe('COMPLETED');
  });

  it('have reached neither a shell nor a script', () => {
    const { dir } = suite.cluster.facts;
    const found = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(CANARY));
    expect(found).toEqual([]);
    for (const folder of [process.cwd(), '/', '/tmp', suite.home]) {
      expect(existsSync(path.join(folder, CANARY))).toBe(false);
    }
    expect(suite.calls('sbatch').join('\n')).not.toContain(CANARY);
  });
});
