import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, hasBubblewrap } from '@tally/testkit';
import {
  type BatchSuite,
  batchEnded,
  programOnCluster,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { ended, exampleProject, flatten, results, submit } from '../fixtures/suite-fixture.js';

/** A simulator that does what a user's deck could make one do, in the folder of its task below that of its job. */
const HOSTILE = `
  import fs from 'node:fs';
  import path from 'node:path';
  const attempt = (what, act) => {
    try {
      console.log('tried ' + what + ': ' + act());
    } catch (err) {
      console.log('tried ' + what + ': ' + err.code);
    }
  };
  const job = path.resolve('../../..');
  const user = path.dirname(job);
  attempt('key', () => fs.readFileSync(path.join(job, 'update.key'), 'utf8').length);
  attempt('order', () => fs.readFileSync(path.join(job, 'job.json'), 'utf8').length);
  attempt('jobs', () => fs.readdirSync(user).filter((name) => name !== path.basename(job) && name !== '.tally').length);
  attempt('forge', () => fs.writeFileSync(path.join(job, 'tasks/1/forged'), 'x'));
  attempt('processes', () => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length > 10);
  attempt('own', () => (fs.writeFileSync('own', 'x'), 'written'));
  process.exit(3);`;

const SEED = '20261123';
let suite: BatchSuite;
let user: HttpSession;
beforeAll(async () => {
  if (!hasBubblewrap()) return;
  suite = await startBatchSuite({
    settings: (cluster) => ({ simulators: { simC: programOnCluster(cluster, 'hostile', HOSTILE) } }),
  });
  user = await suite.newSsoSession();
});
afterAll(() => suite?.stop());

async function logOf(jobId: string): Promise<string> {
  const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
  return logfiles.task_1 ?? '';
}

const reason = hasBubblewrap() ? '' : ' (skipped: no bubblewrap that works here)';

(reason === '' ? describe : describe.skip)(`a simulator on a cluster whose nodes have bubblewrap${reason}`, () => {
  it('neither reads the order and key of its job, nor sees others, nor leaves anything beside its folder', async () => {
    const jobId = await submitBatch(user, {
      ntasks: 1,
      sim_type: 'simC',
      project: exampleProject('proton-bone-slab', 4),
    });
    const { job_tasks_status: tasks } = await batchEnded(user, jobId);
    expect(tasks[0]?.task_state).toBe('FAILED');
    const log = await logOf(jobId);
    expect(log).toContain('confinement: bubblewrap');
    const tried = Object.fromEntries([...log.matchAll(/^tried (\w+): (.*)$/gm)].map(([, what, how]) => [what, how]));
    expect(tried).toMatchObject({ key: 'ENOENT', order: 'ENOENT', processes: 'false', own: 'written' });
    expect(['ENOENT', '0']).toContain(tried.jobs);
    const folder = suite.jobFolder(jobId);
    expect(readFileSync(path.join(folder, 'update.key'), 'utf8')).not.toBe(''); // it was there to be read
    expect(readdirSync(path.join(folder, 'tasks/1'))).not.toContain('forged');
  });

  it('computes what it computes on the direct platform, bit for bit', async () => {
    const project = exampleProject('proton-150mev-water', 2_000);
    const jobId = await submitBatch(user, { ntasks: 2, project, seed: SEED });
    expect((await batchEnded(user, jobId)).job_state).toBe('COMPLETED');
    expect(await logOf(jobId)).toContain('confinement: bubblewrap');
    const direct = await submit(user, { project, ntasks: 3, seed: SEED });
    expect((await ended(user, direct)).job_state).toBe('COMPLETED');
    expect(flatten(await results(user, jobId))).toEqual(flatten(await results(user, direct)));
  });
});
