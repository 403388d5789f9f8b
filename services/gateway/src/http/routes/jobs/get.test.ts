import { expect, test } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { createKnownAnswers } from '../../answer/known-answers.js';
import type { Answer, RouteServices } from '../../route.js';
import { getDirectJob } from './get.js';

const { STATE_PENDING, STATE_RUNNING } = jobs.State;

const columns = (state: jobs.State): jobs.TaskColumns => ({
  taskIds: [1],
  states: [state],
  requestedPrimaries: [100n],
  simulatedPrimaries: [1n],
  estimatedSeconds: [-1],
  startTimesMs: [Number.NaN],
  endTimesMs: [Number.NaN],
  lastUpdateTimesMs: [2_000],
  attemptCounts: [1],
  failures: {},
});

/** A job that changes; `asked`: the versions that jobs was asked with. */
function jobUnderTest() {
  const now = { version: '8-1-1', state: STATE_PENDING, error: undefined as Error | undefined };
  const asked: unknown[] = [];
  const getJob = async ({ knownVersion }: jobs.GetJobRequest) => {
    asked.push(knownVersion);
    if (now.error !== undefined) throw now.error;
    const job = { simulationId: 12n, state: now.state, failure: '', clusterName: '', waitingReason: '', tasks: [] };
    return { job, version: now.version, tasks: knownVersion === now.version ? undefined : columns(now.state) };
  };
  const getVersion = async () => (now.error === undefined ? now.version : '');
  const knownAnswers = createKnownAnswers(10_000);
  const services = { jobs: { getJob }, getVersion, knownAnswers } as unknown as RouteServices;
  const get = (ifNoneMatch?: string): Promise<Answer> =>
    getDirectJob.handle(
      { session: { userId: 7n }, query: { job_id: 'j' }, header: () => ifNoneMatch, call: {} } as unknown as Parameters<
        typeof getDirectJob.handle
      >[0],
      services,
    );
  return { now, asked, get };
}

test('answers as before while jobs says that the job is the same, and anew when it has changed', async () => {
  const { now, asked, get } = jobUnderTest();
  const first = await get();
  expect(await get('"v1-7-1-1"')).toEqual(first);
  Object.assign(now, { version: '8-1-2', state: STATE_RUNNING });
  const third = await get();
  expect(asked).toEqual(['', '8-1-1']);
  expect(first).toMatchObject({ tag: 'v1-8-1-1', text: expect.stringContaining('"task_state":"PENDING"') });
  expect(third).toMatchObject({ tag: 'v1-8-1-2', text: expect.stringContaining('"task_state":"RUNNING"') });
});

test('answers nothing that jobs refuses', async () => {
  const { now, get } = jobUnderTest();
  await get();
  now.error = new Error('the job of another user');
  await expect(get()).rejects.toBe(now.error);
});
