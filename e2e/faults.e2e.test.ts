import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, processTree, waitFor } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  reached,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;

beforeAll(async () => {
  suite = await startTestSuite({ env: { 'direct-runner': { RUNNER_SLOTS: '2' } } });
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

/** The simulators that run now: processes below any runner. */
function simulators(): number[] {
  const runners = suite.names().filter((name) => name.startsWith('direct-runner'));
  const running = runners.map((name) => suite.process(name)).filter((runner) => runner.isRunning());
  return running.flatMap((runner) => processTree(runner.pid).slice(1));
}

describe('a crash', () => {
  it('of a runner in the middle of a task changes neither the end of the job nor its values and errors', async () => {
    const project = exampleProject('proton-150mev-water', 40_000);
    const undisturbed = await submit(user, { project, ntasks: 4, seed: '5' });
    expect((await ended(user, undisturbed)).job_state).toBe('COMPLETED');

    const disturbed = await submit(user, { project, ntasks: 4, seed: '5' });
    await waitFor(() => simulators().length > 0, { what: 'a running simulator' });
    await suite.process('direct-runner-1').kill();
    await suite.addCopy('direct-runner');
    const end = await ended(user, disturbed, 60_000);
    expect(end.job_state).toBe('COMPLETED');
    const [before, after] = [await results(user, undisturbed), await results(user, disturbed)];
    expect(after.primaries).toBe(40_000);
    expect(flatten(after)).toEqual(flatten(before));
  });

  it('of jobs, results or the gateway while a job runs loses nothing', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 160_000), ntasks: 6 });
    await reached(user, jobId, ({ job_state }) => job_state === 'RUNNING');
    for (const name of ['results', 'jobs', 'gateway']) {
      await suite.process(name).kill();
      await suite.process(name).start();
    }
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    expect((await results(user, jobId)).primaries).toBe(160_000);
  });
});

describe('cancelling', () => {
  it('a job of 50 tasks leaves no simulator after 5 s, and what finished tasks gave is readable', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 400_000), ntasks: 50 });
    await reached(user, jobId, ({ job_tasks_status: tasks }) => {
      const states = tasks.map((task) => task.task_state);
      return states.includes('COMPLETED') && states.includes('RUNNING');
    });
    const before = await results(user, jobId);
    expect(before.partial).toBe(true);
    expect(simulators().length).toBeGreaterThan(0);

    const cancelledAt = performance.now();
    expect(await user.call('DELETE', `/jobs/direct?job_id=${jobId}`)).toMatchObject({ job_state: 'CANCELED' });
    const status = await reached(user, jobId, () => simulators().length === 0, 20_000);
    expect(performance.now() - cancelledAt).toBeLessThan(5_000);
    expect(status.job_state).toBe('CANCELED');
    const completed = status.job_tasks_status.filter((task) => task.task_state === 'COMPLETED');
    expect(status.job_tasks_status.filter((task) => task.task_state === 'CANCELED')).toHaveLength(
      50 - completed.length,
    );
    const after = await results(user, jobId);
    expect(after.partial).toBe(true);
    expect(after.tasks_merged).toBeGreaterThanOrEqual(completed.length);
    expect(after.primaries).toBeGreaterThanOrEqual(8_000 * completed.length);
    expect(await user.call('DELETE', `/user/simulations?job_id=${jobId}`)).toHaveProperty('message');
    expect((await user.send('GET', `/jobs/direct?job_id=${jobId}`)).status).toBe(404);
  }, 120_000);
});
