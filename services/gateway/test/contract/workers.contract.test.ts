import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EXTERNAL_ATTEMPT_ID, jobs, type results } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { parseRaw, sendRaw } from '../stand-ins/raw-http.js';
import { refusalsOf } from '../stand-ins/refuse.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

const BODY_BYTES_MAX = 20_000;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const limits = {
    bodyBytesMax: BODY_BYTES_MAX,
    submissionBytesMax: 1_500_000,
    resultPagesMax: 5,
    resultNumbersMax: 10_000,
  };
  gateway = await startGatewayUnderTest(limits);
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const KEY = 'a-key-that-nobody-may-see';
const credential = { jobRef: 'job-1', updateKey: KEY };
const post = (path: string, json: unknown) => gateway.send('POST', path, { json, cookie: '' });
const requestOf = (rpc: string) => gateway.jobs.calls.find((call) => call.rpc === rpc)?.request;
const target = { jobId: 'job-1', isWanted: true, isRepeat: false, primaries: 900n, taskCount: 3, isPartial: false };
const refuse = refusalsOf('jobs');
/** How each update of a task is answered. */
const answerUpdates = (answer: (update: jobs.UpdateTaskRequest) => Promise<jobs.UpdateTaskResponse>) => {
  gateway.jobs.answers.updateTask = answer;
};
const callsOf = (rpc: string) => gateway.jobs.calls.filter((call) => call.rpc === rpc);
const sentUpdates = () => callsOf('updateTask').map(({ request }) => request as jobs.UpdateTaskRequest);
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

  it('202: passes on numbers of a scheduler alone, and null for what is not said', async () => {
    gateway.jobs.answers.updateJob = async () => ({ isApplied: true });
    const numbers = { job_state: undefined, end_time: null, job_dir: null, array_id: 17, collect_id: 18 };
    expect((await post('/jobs', { ...BODIES['/jobs'], ...numbers })).status).toBe(202);
    const state = jobs.State.STATE_UNSPECIFIED;
    expect(requestOf('updateJob')).toMatchObject({ state, arrayId: 17n, collectId: 18n });
  });

  it('202: says when it was ignored', async () => {
    gateway.jobs.answers.updateJob = async () => ({ isApplied: false });
    expect((await post('/jobs', BODIES['/jobs'])).body).toMatchObject({ applied: false });
  });

  it.each([
    ['an unknown state', { job_state: 'DONE' }],
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
    answerUpdates(async () => ({ isApplied: false, mustStop: true, mustFinish: false }));
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
    expect([reply.status, reply.body]).toEqual([
      202,
      { message: expect.any(String), applied: false, cancel: true, finish: false },
    ]);
    expect(sentUpdates()).toEqual([
      {
        credential: { jobRef: '42', updateKey: KEY },
        taskId: 1,
        state: jobs.State.STATE_RUNNING,
        requestedPrimaries: 10n,
        simulatedPrimaries: 5n,
        estimatedTime: { seconds: 90n, nanos: 0 },
        startTime: new Date('2026-01-02T03:04:05Z'),
        celeryId: 'w-1',
        failure: '',
      },
    ]);
  });

  it('202: passes on why a task failed', async () => {
    answerUpdates(async () => ({ isApplied: true, mustStop: false, mustFinish: true }));
    await post('/tasks', { ...BODIES['/tasks'], update_dict: { task_state: 'FAILED', failure: 'out of memory\n' } });
    expect(sentUpdates()).toMatchObject([{ state: jobs.State.STATE_FAILED, failure: 'out of memory\n' }]);
  });

  it('202: an update that says nothing is one', async () => {
    answerUpdates(async () => ({ isApplied: true, mustStop: false, mustFinish: true }));
    const reply = await post('/tasks', { ...BODIES['/tasks'], update_dict: {} });
    expect([reply.status, reply.body.cancel, reply.body.finish]).toEqual([202, false, true]);
    expect(sentUpdates()).toMatchObject([{ state: jobs.State.STATE_UNSPECIFIED, simulatedPrimaries: 0n }]);
  });

  it('404: the job has no such task', async () => {
    answerUpdates(refuse('TASK_NOT_FOUND', 'NOT_FOUND'));
    expect((await post('/tasks', { ...BODIES['/tasks'], task_id: 99 })).status).toBe(404);
  });

  describe('from many workers at once', () => {
    const COUNT = 40;
    /** On one connection, so that they come in one turn of the event loop. */
    const postAll = async () => {
      const requests = Array.from({ length: COUNT }, (_, i) => {
        const body = JSON.stringify({ ...BODIES['/tasks'], task_id: i + 1 });
        const close = i === COUNT - 1 ? 'Connection: close\r\n' : '';
        const head = `POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${close}`;
        return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
      });
      const [, ...answers] = (await sendRaw(gateway.port, requests.join(''))).split('HTTP/1.1 ');
      return answers.map((answer) => parseRaw(`HTTP/1.1 ${answer}`)).map(({ status, body }) => [status, body.cancel]);
    };
    /** Every third is refused. */
    const answer = async ({ taskId }: jobs.UpdateTaskRequest) => {
      if (taskId % 3 === 0) return refuse('TASK_NOT_FOUND', 'NOT_FOUND')();
      return { isApplied: true, mustStop: taskId % 3 === 1, mustFinish: false };
    };
    const expected = Array.from({ length: COUNT }, (_, i) =>
      (i + 1) % 3 === 0 ? [404, undefined] : [202, (i + 1) % 3 === 1],
    );
    it('202, 404: each gets its own answer', async () => {
      answerUpdates(answer);
      expect(await postAll()).toEqual(expected);
      expect(sentUpdates()).toHaveLength(COUNT);
    });

    it('does not wait for a call that takes long', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      answerUpdates(async ({ taskId }) => {
        if (taskId === 1) await held;
        return { isApplied: true, mustStop: false };
      });
      const first = post('/tasks', BODIES['/tasks']);
      await waitFor(async () => sentUpdates().length === 1);
      expect((await post('/tasks', { ...BODIES['/tasks'], task_id: 2 })).status).toBe(202);
      release();
      expect((await first).status).toBe(202);
    });
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
    expect(order).toEqual(['header', 'page', 'chunk', 'reported']); // errors are not known, and not sent
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('202: takes long lists of numbers out of the body as it arrives, and knows a repeat', async () => {
    const hashes = new Set<string>();
    gateway.jobs.answers.getWorkerTarget = async ({ contentHash }) => {
      if (contentHash !== '') hashes.add(contentHash); // else it is asked for the key alone
      return target;
    };
    gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
    const sent: { metadata: unknown; numbers: number[] }[] = [];
    gateway.results.answers.putResults = async (messages) => {
      for await (const { part } of messages) {
        if (part?.$case === 'page') sent.push({ metadata: JSON.parse(part.value.metadataJson ?? 'null'), numbers: [] });
        if (part?.$case !== 'chunk') continue;
        for (let at = 0; at < part.value.length; at += 8) sent.at(-1)?.numbers.push(part.value.readDoubleLE(at));
      }
      return {};
    };
    const values = Array.from({ length: 1_000 }, (_, bin) => bin / 3);
    const errors = values.map((value) => (value === 2 ? null : value / 7));
    const centers = values.map((_, bin) => bin);
    const metadata = { weights: values, name: 'D' };
    const page = {
      page_number: 1,
      name: 'Dose',
      metadata,
      data: { values, errors, dimensions: [centers], unit: 'Gy' },
    };
    for (const last of [1, 1, 2]) {
      const second = { ...page, page_number: 2, data: { ...page.data, values: [...values.slice(1), last] } };
      const body = {
        ...BODIES['/results'],
        estimators: [
          { name: 'Dose', pages: [page] },
          { name: 'E', pages: [second] },
        ],
      };
      const reply = await post('/results', body);
      expect([reply.status, reply.body.message]).toEqual([202, 'Results stored']);
    }
    expect(hashes.size).toBe(2);
    const known = errors.map((error) => error ?? Number.NaN);
    expect(sent[0]).toEqual({ metadata, numbers: [...values, ...known] });
    expect(sent.at(-1)).toEqual({ metadata, numbers: [...values.slice(1), 2, ...known] });
  });

  it('202: says how many bins it numbers', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
    const sent: results.PageHeader[] = [];
    type Part = NonNullable<(results.PutResultsRequest | results.PutTaskOutputRequest)['part']>;
    const take = async (messages: AsyncIterable<{ readonly part?: Part | undefined }>) => {
      for await (const { part } of messages) if (part?.$case === 'page') sent.push(part.value);
      return {};
    };
    const cut = { data: { values: [1, 2, 3, 4] }, axis_dim1: { values: [0.5, 1.5], name: 'Z', unit: 'cm' } };
    const body = { ...BODIES['/results'], estimators: [{ name: 'D', pages: [cut] }] };
    Object.assign(gateway.results.answers, { putResults: take, putTaskOutput: take });
    expect((await post('/results', body)).status).toBe(202);
    expect((await post('/results', { ...body, task_id: 1, primaries: 10 })).status).toBe(202);
    const numbered = [[{ name: 'Z', unit: 'cm', centers: [0.5, 1.5] }], 2n];
    expect(sent.map(({ axes, numberedBins }) => [axes, numberedBins])).toEqual([numbered, numbered]);
  });

  it('413: more numbers in long lists than there may be', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    const values = Array.from({ length: 10_001 }, () => 1);
    const page = { data: { values, dimensions: [values], unit: 'Gy' } };
    const reply = await post('/results', { ...BODIES['/results'], estimators: [{ name: 'D', pages: [page] }] });
    expect([reply.status, reply.body.message]).toEqual([413, 'The body is too large: at most 10000 numbers']);
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

  it('202: stores what jobs makes of final results, and tells it the primaries that the worker says', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, primaries: 600n, taskCount: 2, isPartial: true });
    gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
    const headers: unknown[] = [];
    gateway.results.answers.putResults = async (messages) => {
      for await (const { part } of messages) if (part?.$case === 'header') headers.push(part.value);
      return {};
    };
    for (const primaries of [undefined, 600]) await post('/results', { ...BODIES['/results'], primaries });
    expect(headers[0]).toMatchObject({ primaries: 600n, taskCount: 2, isPartial: true, engine: 'external worker' });
    for (const rpc of ['getWorkerTarget', 'reportWorkerOutput']) {
      const said = gateway.jobs.calls.filter((call) => call.rpc === rpc).map(({ request }) => request);
      expect(said).toMatchObject([{ contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) }, { primaries: 600n }]);
    }
  });

  it("202: takes pages of the field's own sender, with numbers as Python writes them", async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
    const pages: results.PageHeader[] = [];
    const chunks: Buffer[] = [];
    gateway.results.answers.putResults = async (messages) => {
      for await (const { part } of messages) {
        if (part?.$case === 'page') pages.push(part.value);
        if (part?.$case === 'chunk') chunks.push(part.value);
      }
      return {};
    };
    const raw = `{"simulation_id": "job-1", "update_key": "${KEY}", "estimators": [{"name": "d", "metadata": {"x": "NaN"},
      "pages": [{"dimensions": 1, "metadata": {"page_number": "0"}, "data": {"unit": "Gy", "name": "Dose",
      "values": [NaN, 2.5, -Infinity]}, "axis_dim1": {"unit": "cm", "name": "Z", "values": [0.5, 1.5, 2.5]}},
      {"data": {"unit": "", "name": "Count", "values": [[[7.0]]]}}]}]}`;
    const reply = await gateway.send('POST', '/results', { raw, cookie: '' });
    expect([reply.status, reply.body]).toEqual([202, { message: 'Results stored', applied: true }]);
    expect(pages).toMatchObject([
      { pageNumber: 0, pageName: 'Dose', unit: 'Gy', axes: [{ name: 'Z', unit: 'cm', centers: [0.5, 1.5, 2.5] }] },
      { pageNumber: 1, pageName: 'Count', axes: [] },
    ]);
    expect(pages[0]?.metadataJson).toBe('{"page_number":"0"}');
    const [values = Buffer.alloc(0), scalar] = chunks;
    expect([0, 8, 16].map((at) => values.readDoubleLE(at))).toEqual([Number.NaN, 2.5, Number.NaN]);
    expect(scalar?.readDoubleLE()).toBe(7);
  });

  it('413: more pages than GET /limits says, before one of them is looked at, and after the key was checked', async () => {
    gateway.jobs.answers.getQuotas = () => Promise.reject(new ServiceError('grpc', 'UNKNOWN_RPC', 'UNIMPLEMENTED', ''));
    const { limits } = (await gateway.send('GET', '/limits')).body as { limits: Record<string, number> };
    expect(limits.result_pages_max).toBe(5);
    const raw = (pages: number) =>
      `{"simulation_id":"job-1","update_key":"${KEY}","estimators":[{"name":"d","pages":[${'{"data":{}},'.repeat(pages - 1)}{}]}]}`;
    gateway.jobs.answers.getWorkerTarget = async () => target;
    const many = await gateway.send('POST', '/results', { raw: raw(6), cookie: '' });
    expect([many.status, many.body.message]).toEqual([413, 'The results must have at most 5 pages']);
    expect(many.body.errors).toEqual([{ field: 'estimators', message: 'must have at most 5 pages' }]);
    expect((await gateway.send('POST', '/results', { raw: raw(5), cookie: '' })).status).toBe(400);
    gateway.jobs.answers.getWorkerTarget = refuse('UPDATE_KEY_INVALID', 'UNAUTHENTICATED');
    expect((await gateway.send('POST', '/results', { raw: raw(6), cookie: '' })).status).toBe(401);
    expect(gateway.results.calls).toEqual([]);
  });

  it('202: stores nothing for a job that has ended; a repeat is answered as at first', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, isWanted: false, isRepeat: true });
    const reply = await post('/results', BODIES['/results']);
    expect([reply.status, reply.body.applied]).toEqual([202, true]);
    expect(gateway.results.calls).toEqual([]);
  });

  it.each([
    ['final results', {}, 'final results'],
    ['the output of a task', { task_id: 2, primaries: 300 }, 'the output of task 2'],
  ])('202: drops %s that come too late, and notes it in the log of the job', async (_what, more, words) => {
    gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, isWanted: false });
    gateway.results.answers.appendLogs = async () => ({});
    for (let i = 0; i < 2; i++) {
      const reply = await post('/results', { ...BODIES['/results'], ...more });
      expect([reply.status, reply.body.applied]).toEqual([202, false]);
    }
    expect(gateway.results.calls.map(({ rpc }) => rpc)).toEqual(['appendLogs', 'appendLogs']);
    const [first, second] = gateway.results.calls.map(({ request }) => request as results.AppendLogsRequest);
    expect(first).toMatchObject({ jobId: 'job-1', texts: [{ name: 'submission', isNote: true, offset: 0n }] });
    const text = first?.texts[0]?.text.toString();
    expect(text).toContain(`too late and dropped: ${words}, `);
    expect(text).toContain('1 page, 2 values: Dose (2)');
    expect(second?.attemptId).toBe(first?.attemptId); // so that results notes it once
  });

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
  it('202: ships whole logs and pieces by key, as many in one call as it takes', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => ({ ...target, isWanted: false });
    gateway.results.answers.appendLogs = async () => ({});
    const logfiles = { task_2: 'piece "1"\n', stdout: 'é\\\n'.repeat(100_000), empty: '' };
    const offsets = { task_2: 7 };
    const reply = await post('/logfiles', { ...BODIES['/logfiles'], logfiles, offsets });
    expect([reply.status, reply.body]).toEqual([202, { message: 'Log files stored', applied: true }]);
    const calls = gateway.results.calls.map(({ request }) => request as results.AppendLogsRequest);
    expect(calls).toMatchObject([{ jobId: 'job-1', attemptId: EXTERNAL_ATTEMPT_ID }]);
    const sent = calls.flatMap(({ texts }) => texts);
    expect(sent).toMatchObject([
      { taskId: 2, offset: 7n, isRestart: false },
      { taskId: 0, name: 'stdout', offset: 0n, isRestart: true },
      { taskId: 0, name: 'empty', offset: 0n, isRestart: true },
    ]);
    expect(sent.map(({ text }) => text.toString())).toEqual(Object.values(logfiles));
  });

  it('202: 500 logs are one call', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    gateway.results.answers.appendLogs = async () => ({});
    const logfiles = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`task_${at + 1}`, `log ${at + 1}\n`]));
    expect((await post('/logfiles', { ...BODIES['/logfiles'], logfiles })).status).toBe(202);
    expect(gateway.results.calls.map(({ rpc }) => rpc)).toEqual(['appendLogs']);
    const texts = gateway.results.calls.flatMap(({ request }) => (request as results.AppendLogsRequest).texts);
    expect(texts.map(({ taskId, text }) => [`task_${taskId}`, text.toString()])).toEqual(Object.entries(logfiles));
  });

  it('400: nothing is stored of a body in which one text is none', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    gateway.results.answers.appendLogs = async () => ({});
    const text = JSON.stringify({ ...BODIES['/logfiles'], logfiles: { a: 'good', b: 'X' } }).replace('"X"', '"\\x"');
    const reply = await gateway.send('POST', '/logfiles', { raw: text, cookie: '' });
    expect([reply.status, gateway.results.calls]).toEqual([400, []]);
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
    Object.assign(gateway.jobs.answers, { updateJob: refused, getWorkerTarget: refused });
    answerUpdates(refused);
    const reply = await post(path, body);
    expect([reply.status, reply.body.code]).toEqual([401, 'UPDATE_KEY_INVALID']);
    expect(reply.text).not.toContain(KEY);
  });

  it('413: a body that is too large', async () => {
    gateway.jobs.answers.getWorkerTarget = async () => target;
    const padding = 'x'.repeat(path === '/jobs' || path === '/tasks' ? BODY_BYTES_MAX : 1_600_000);
    expect((await post(path, { ...body, padding })).status).toBe(413);
  });

  it('415 and 400: a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect((await gateway.send('POST', path, { raw: 'x', headers, cookie: '' })).status).toBe(415);
    expect((await gateway.send('POST', path, { raw: '{', cookie: '' })).status).toBe(400);
  });
});
