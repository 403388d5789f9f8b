import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';

/** Between two deliveries: long enough for a read in between. */
const PAUSE_MS = 1_000;
let suite: TestSuite;
let user: HttpSession;

beforeAll(async () => {
  suite = await startTestSuite({ env: { jobs: { JOBS_INPUT_DELIVERY_PAUSE_MS: String(PAUSE_MS) } } });
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

const project = exampleProject('proton-150mev-water', 100);
const submitSmall = () => submit(user, { project, ntasks: 2 });
const read = (path: string, jobId: string) => user.send<{ input?: unknown }>('GET', `${path}?job_id=${jobId}`);

describe('a job whose input is on its way to results', () => {
  it('is read like any other from its submission on', async () => {
    const jobIds: string[] = [];
    for (let job = 0; job < 4; job++) {
      const jobId = await submitSmall();
      const inputs = await read('/inputs', jobId);
      expect([inputs.status, inputs.body.input]).toEqual([200, project]);
      jobIds.push(jobId);
    }
    const last = await submitSmall();
    expect((await read('/logfiles', last)).status).toBe(200);
    for (const jobId of [...jobIds, last]) expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  });

  it('is taken while results is away, says so when it is read, and runs when results is back', async () => {
    await submitSmall();
    await suite.process('results').kill();
    const jobId = await submitSmall();
    expect((await read('/inputs', jobId)).status).toBe(503);
    await suite.process('results').start();
    expect((await ended(user, jobId, 60_000)).job_state).toBe('COMPLETED');
    expect((await read('/inputs', jobId)).body.input).toEqual(project);
  });

  it('is not lost with the copy of jobs that took it', async () => {
    const jobIds = [await submitSmall(), await submitSmall(), await submitSmall()];
    await suite.process('jobs').kill();
    await suite.process('jobs').start();
    for (const jobId of jobIds) expect((await ended(user, jobId, 60_000)).job_state).toBe('COMPLETED');
  });
});
