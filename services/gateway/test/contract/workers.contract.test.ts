import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

const BODY_BYTES_MAX = 20_000;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ bodyBytesMax: BODY_BYTES_MAX, submissionBytesMax: 1_500_000 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const KEY = 'a-key-that-nobody-may-see';
const credential = { jobRef: 'job-1', updateKey: KEY };
const post = (path: string, json: unknown) => gateway.send('POST', path, { json, cookie: '' });
const requestOf = (rpc: string) => gateway.jobs.calls.find((call) => call.rpc === rpc)?.request;
const target = { jobId: 'job-1', isWanted: true, isRepeat: false, primaries: 900n, taskCount: 3, isPartial: false };
const refuse = (reason: string, status: ConstructorParameters<typeof ServiceError>[2]) => async (): Promise<never> => {
  throw new ServiceError('jobs', reason, status, `text of ${reason}`);
};
const data = { values: [1, 2.5], dimensions: [[0.5, 1.5]], unit: 'Gy' };
const estimators = [{ name: 'Dose', pages: [{ page_number: 1, name: 'Dose', data }] }];

const BODIES = {
  '/jobs': { sim_id: 'job-1', update_key: KEY, job_state: 'RUNNING' },
  '/tasks': { simulation_id: 'job-1', task_id: 1, update_key: KEY, update_dict: { task_state: 'RUNNING' } },
  '/results': { simulation_id: 'job-1', update_key: KEY, estimators },
  '/logfiles': { simulation_id: 'job-1', update_key: KEY, logfiles: { stdout: 'text' } },
} as const;

describe('POST /jobs', () => {
  it('202: passes on the state and what else is said, the time read as UTC', async () => {
    gateway.jobs.answers.updateJob = async () => ({ isApplied: true });
    const more = { end_time: '2026-01-02 03:04:05.678901', job_dir: 'run-1', array_id: 17, collect_id: 18 };
    const reply = await post('/jobs', { ...BODIES['/jobs'], job_state: 'COMPLETED', ...more });
    expect([reply.status, reply.body]).toEqual([202, { message: 'Job updated', applied: true }]);
    const endTime = new Date('2026-01-02T03:04:05.678Z');
    const state = jobs.State.STATE_COMPLETED;
    expect(requestOf('updateJob')).toEqual({
      credential,
      state,
      endTime,
      jobDir: 'run-1',
      arrayId: 17n,
      collectId: 18n,
    });
  });

  it('202: says when it was ignored', async () => {
    gateway.jobs.answers.updateJob = async () => ({ isApplied: false });
    expect((await post('/jobs', BODIES['/jobs'])).body).toMatchObject({ applied: false });
  });

  it.each([
    ['an unknown state', { job_state: 'DONE' }],
    ['no state', { job_state: undefined }],
    ['no job', { sim_id: undefined }],
    ['no key', { update_key: undefined }],
    ['a time of another kind', { end_time: '02.01.2026' }],
    ['a day that is none', { end_time: '2026-02-30 00:00:00' }],
    ['a number as text', { array_id: '17' }],
  ])('400: %s', async (_what, wrong) => {
    expect((await post('/jobs', { ...BODIES['/jobs'], ...wrong })).status).toBe(400);
    expect(requestOf('updateJob')).toBeUndefined();
  });
});

describe('POST /tasks', () => {
  it('202: passes on what is said, and tells the worker to stop', async () => {
    gateway.jobs.answers.updateTask = async () => ({ isApplied: false, mustStop: true });
    const update_dict = {
      task_state: 'RUNNING',
      simulated_primaries: 5,
      requested_primaries: 10,
      estimated_time: 90,
      start_time: '2026-01-02T03:04:05Z',
      end_time: null,
      celery_id: 'w-1',
    };
    const reply = await post('/tasks', { ...BODIES['/tasks'], simulation_id: 42, update_dict });
    expect([reply.status, reply.body]).toEqual([202, { message: expect.any(String), applied: false, cancel: true }]);
    expect(requestOf('updateTask')).toEqual({
      credential: { jobRef: '42', updateKey: KEY },
      taskId: 1,
      state: jobs.State.STATE_RUNNING,
      requestedPrimaries: 10n,
      simulatedPrimaries: 5n,
      estimatedTime: { seconds: 90n, nanos: 0 },
      startTime: new Date('2026-01-02T03:04:05Z'),
      celeryId: 'w-1',
      failure: '',
    });
  });

  it('202: passes on why a task failed', async () => {
    gateway.jobs.answers.updateTask = async () => ({ isApplied: true, mustStop: false });
    await post('/tasks', { ...BODIES['/tasks'], update_dict: { task_state: 'FAILED', failure: 'out of memory\n' } });
    expect(requestOf('updateTask')).toMatchObject({ state: jobs.State.STATE_FAILED, failure: 'out of memory\n' });
  });

  it('202: an update that says nothing is one', async () => {
    gateway.jobs.answers.updateTask = async () => ({ isApplied: true, mustStop: false });
    const reply = await post('/tasks', { ...BODIES['/tasks'], update_dict: {} });
    expect([reply.status, reply.body.cancel]).toEqual([202, false]);
    expect(requestOf('updateTask')).toMatchObject({ state: jobs.State.STATE_UNSPECIFIED, simulatedPrimaries: 0n });
  });

  it('404: the job has no such task', async () => {
    gateway.jobs.answers.updateTask = refuse('TASK_NOT_FOUND', 'NOT_FOUND');
    expect((await post('/tasks', { ...BODIES['/tasks'], task_id: 99 })).status).toBe(404);
  });

  it.each([
    ['an unknown state', { update_dict: { task_state: 'DONE' } }],
    ['an update that is no object', { update_dict: [] }],
    ['half a primary', { update_dict: { simulated_primaries: 0.5 } }],
    ['a negative estimate', { update_dict: { estimated_time: -1 } }],
    ['a task that is no number', { task_id: '1' }],
  ])('400: %s', async (_what, wrong) => {
    expect((await post('/tasks', { ...BODIES['/tasks'], ...wrong })).status).toBe(400);
  });
});

describe('POST /results', () => {
  it('202: stores final results, then ends the job, both known by the same content', async () => {
    const order: string[] = [];
    const hashes: string[] = [];
    gateway.jobs.answers.getWorkerTarget = async ({ contentHash }) => {
      hashes.push(contentHash);
      return target;
    };
    gateway.results.answers.putResults = async (messages) => {
      for await (const { part } of messages) order.push(part?.$case ?? '');
      return {};
    };
    gateway.jobs.answers.reportWorkerOutput = async ({ contentHash }) => {
      order.push('reported');
      hashes.push(contentHash);
      return { isApplied: true };
    };
    const reply = await post('/results', BODIES['/results']);
    expect([reply.status, reply.body]).toEqual([202, { message: 'Results stored', applied: true }]);
    expect(order).toEqual(['header', 'page', 'chunk', 'chunk', 'reported']);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('202: stores the output of one task', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
    let header: unknown;
    gateway.results.answers.putTaskOutput = async (messages) => {
      for await (const { part } of messages) if (part?.$case === 'header') header = part.value;
      return {};
    };
    await post('/results', { ...BODIES['/results'], task_id: 2, primaries: 300 });
    expect(header).toMatchObject({ jobId: 'job-1', taskId: 2, primaries: 300n, pageCount: 1 });
    expect(requestOf('reportWorkerOutput')).toEqual({ credential, taskId: 2, contentHash: '' });
  });

  it.each([true, false])(
    '202: stores nothing for a job that has ended; a repeat (%s) is answered as at first',
    async (isRepeat) => {
      gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, isWanted: false, isRepeat });
      const reply = await post('/results', BODIES['/results']);
      expect([reply.status, reply.body.applied]).toEqual([202, isRepeat]);
      expect(gateway.results.calls).toEqual([]);
    },
  );

  it('400: names what does not fit, after the key was checked', async () => {
    const wrong = {
      ...BODIES['/results'],
      estimators: [{ name: 'D', pages: [{ ...estimators[0]?.pages[0], data: {} }] }],
    };
    gateway.jobs.answers.getWorkerTarget = refuse('UPDATE_KEY_INVALID', 'UNAUTHENTICATED');
    expect((await post('/results', wrong)).status).toBe(401);
    gateway.jobs.answers.getWorkerTarget = async () => target;
    const reply = await post('/results', wrong);
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body.errors)).toContain('estimators/0/pages/0/data/values');
    expect(gateway.results.calls).toEqual([]);
  });

  it.each([
    ['no estimators', { estimators: undefined }],
    ['an empty list', { estimators: [] }],
    ['estimators that are an object', { estimators: {} }],
    ['a task without primaries', { task_id: 1 }],
    ['task 0', { task_id: 0, primaries: 1 }],
  ])('400: %s', async (_what, wrong) => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    expect((await post('/results', { ...BODIES['/results'], ...wrong })).status).toBe(400);
  });
});

describe('POST /logfiles', () => {
  it('202: ships whole logs and pieces by key, in pieces of whole characters', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, isWanted: false });
    gateway.results.answers.appendLog = async () => ({});
    const long = `a${'é'.repeat(200_000)}`;
    const logfiles = { task_2: 'piece', stdout: long, empty: '' };
    const reply = await post('/logfiles', { ...BODIES['/logfiles'], logfiles, offsets: { task_2: 7 } });
    expect([reply.status, reply.body]).toEqual([202, { message: 'Log files stored', applied: true }]);
    const sent = gateway.results.calls.map(({ request }) => request as { text: string; offset: bigint });
    expect(sent[0]).toMatchObject({ jobId: 'job-1', taskId: 2, offset: 7n, text: 'piece', isRestart: false });
    const stdout = sent.filter((request) => 'name' in request && request.name === 'stdout');
    expect(stdout.map(({ text }) => text).join('')).toBe(long);
    expect(stdout[0]).toMatchObject({ offset: 0n, isRestart: true });
    expect(stdout[1]).toMatchObject({ offset: BigInt(Buffer.byteLength(stdout[0]?.text ?? '')), isRestart: false });
    expect(sent.at(-1)).toMatchObject({ name: 'empty', text: '', isRestart: true });
  });

  it.each([
    ['text that is none', { logfiles: { stdout: 5 } }],
    ['a list', { logfiles: [] }],
    ['a key of two lines', { logfiles: { 'a\nb': 'x' } }],
    ['a negative offset', { offsets: { stdout: -1 } }],
  ])('400: %s', async (_what, wrong) => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    expect((await post('/logfiles', { ...BODIES['/logfiles'], ...wrong })).status).toBe(400);
  });
});

describe.each(Object.entries(BODIES))('POST %s', (path, body) => {
  it('401: a key that is not valid, without a word of why', async () => {
    const refused = refuse('UPDATE_KEY_INVALID', 'UNAUTHENTICATED');
    Object.assign(gateway.jobs.answers, { updateJob: refused, updateTask: refused, getWorkerTarget: refused });
    const reply = await post(path, body);
    expect([reply.status, reply.body.code]).toEqual([401, 'UPDATE_KEY_INVALID']);
    expect(reply.text).not.toContain(KEY);
  });

  it('413: a body that is too large', async () => {
    const padding = 'x'.repeat(path === '/jobs' || path === '/tasks' ? BODY_BYTES_MAX : 1_600_000);
    expect((await post(path, { ...body, padding })).status).toBe(413);
  });

  it('415 and 400: a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect((await gateway.send('POST', path, { raw: 'x', headers, cookie: '' })).status).toBe(415);
    expect((await gateway.send('POST', path, { raw: '{', cookie: '' })).status).toBe(400);
  });
});
