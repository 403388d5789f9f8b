import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import pg from 'pg';
import { EventFollower, type StreamEvent } from './fixtures/event-follower.js';
import { exampleProject, jobStatus, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;
const followers: EventFollower[] = [];

beforeAll(async () => {
  suite = await startTestSuite({ env: { 'direct-runner': { RUNNER_SLOTS: '2' } } });
  user = await suite.newUser();
});
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close();
});
afterAll(() => suite?.stop());

/** A follower that has seen `ready`. */
async function follow(session: HttpSession): Promise<EventFollower> {
  const follower = new EventFollower(session);
  followers.push(follower);
  await follower.until(({ name }) => name === 'ready');
  return follower;
}

const isEnd =
  (jobId: string) =>
  ({ name, data }: StreamEvent) =>
    name === 'job' && data.job_id === jobId && ['COMPLETED', 'FAILED', 'CANCELED'].includes(String(data.job_state));
const isTask =
  (jobId: string, state: string) =>
  ({ name, data }: StreamEvent) =>
    name === 'task' && data.job_id === jobId && data.task_state === state;
const jobStates = (events: readonly StreamEvent[]) =>
  events.filter(({ name }) => name === 'job').map(({ data }) => data.job_state);

/** Ids of all events of a job, as jobs has stored them. */
async function storedIds(jobId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: suite.databases.jobs });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM job_events WHERE job_id = $1 ORDER BY id', [
      jobId,
    ]);
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

const COURSE = ['PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED'];

describe('GET /jobs/events', () => {
  it('tells the whole course of a job to one who asks for nothing else', async () => {
    const follower = await follow(user);
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 40_000), ntasks: 3 });
    await follower.until(isEnd(jobId));
    const events = follower.of(jobId);
    expect(jobStates(events)).toEqual(COURSE);
    const shown = new Map<unknown, StreamEvent['data']>();
    for (const { name, data } of events) if (name === 'task') shown.set(data.task_id, data);
    const { job_tasks_status: tasks } = await jobStatus(user, jobId);
    expect(tasks.map((task) => ({ job_id: jobId, ...task }))).toEqual(
      [...shown.values()].sort((a, b) => Number(a.task_id) - Number(b.task_id)),
    );
    for (const taskId of [1, 2, 3]) {
      const states = events.filter(({ data }) => data.task_id === taskId).map(({ data }) => data.task_state);
      expect(states[0]).toBe('RUNNING');
      expect(states.at(-1)).toBe('COMPLETED');
    }
    expect(follower.connectionCount).toBe(1);
    await user.call('DELETE', `/user/simulations?job_id=${jobId}`);
    await follower.until(({ name, data }) => name === 'job_deleted' && data.job_id === jobId);
  }, 120_000);

  it('misses and repeats nothing for one whose connection is cut again and again', async () => {
    const [steady, restless] = [await follow(user), await follow(user)];
    const cutting = setInterval(() => restless.cut(), 300);
    try {
      const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 100_000), ntasks: 8 });
      await steady.until(isEnd(jobId), 120_000);
      await restless.until(isEnd(jobId));
      expect(restless.connectionCount).toBeGreaterThan(3);
      expect(restless.of(jobId)).toEqual(steady.of(jobId));
      const again = restless.events.filter(({ name }) => name === 'ready').slice(1);
      expect(again.every(({ data }) => data.resumed === true)).toBe(true);
      expect(steady.of(jobId).map(({ id }) => id)).toEqual(await storedIds(jobId));
    } finally {
      clearInterval(cutting);
    }
  });

  it('misses and repeats nothing when jobs and the gateway are killed meanwhile', async () => {
    const follower = await follow(user);
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 200_000), ntasks: 8 });
    await follower.until(isTask(jobId, 'RUNNING'));
    await suite.process('jobs').kill();
    await suite.process('jobs').start();
    await follower.until(isTask(jobId, 'COMPLETED'), 120_000);
    expect(follower.connectionCount).toBe(1); // the gateway has gone on by itself
    await suite.process('gateway').kill();
    await suite.process('gateway').start();
    await follower.until(isEnd(jobId), 120_000);
    expect(follower.connectionCount).toBeGreaterThan(1);
    expect(jobStates(follower.of(jobId))).toEqual(COURSE);
    expect(follower.of(jobId).map(({ id }) => id)).toEqual(await storedIds(jobId));
  }, 300_000);

  it('ends within 5 s after a logout, and lets nobody in without a session', async () => {
    const visitor = await suite.newUser();
    const follower = await follow(visitor);
    const cookies = new Map(visitor.cookies);
    await visitor.call('DELETE', '/auth/logout');
    const startedAt = performance.now();
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    await waitFor(async () => (follower.status === 401 ? true : undefined), { what: 'the end of the stream' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
