import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { jobAnswer, pageAnswer } from '../../stand-ins/job-answers.js';
import { refusalsOf } from '../../stand-ins/refuse.js';
import { takeSubmissions } from '../../stand-ins/submissions.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ submissionBytesMax: 400_000 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const refuse = refusalsOf('jobs');
const submission = { sim_type: 'simA', ntasks: 2, input_type: 'editor', sim_data: { project: { title: 'Water' } } };
const accepted = { jobId: '20260102-030405-x', simulationId: 12n, seed: 18_446_744_073_709_551_615n, warnings: [] };
const received = (rpc: string) => gateway.jobs.calls.find((call) => call.rpc === rpc);
const submissions = takeSubmissions(accepted);
const submitted = submissions.last;

const CRASHED = 'SIMULATOR_CRASHED: the simulator crashed: signal SIGSEGV (attempt 3 of 3)';

describe('POST /jobs/direct', () => {
  it('202: passes on the submission and returns job id and seed, the seed with all its digits', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const reply = await gateway.send('POST', '/jobs/direct', {
      json: { ...submission, title: 'Mine', seed: '18446744073709551615' },
      headers: { 'Idempotency-Key': 'k-1' },
    });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      message: 'Job started',
      job_id: '20260102-030405-x',
      simulation_id: 12,
      seed: '18446744073709551615',
    });
    expect(submitted()).toMatchObject({
      platform: jobs.Platform.PLATFORM_DIRECT,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      taskCount: 2,
      title: 'Mine',
      simDataJson: Buffer.from(JSON.stringify(submission.sim_data)),
      seed: 18_446_744_073_709_551_615n,
      idempotencyKey: 'k-1',
      schedulerOptionsJson: Buffer.alloc(0),
      onUnsupported: jobs.OnUnsupported.ON_UNSUPPORTED_REFUSE,
    });
    expect(received('submitJob')?.context?.userId).toBe(7n);
  });

  it('202: passes on a large project in pieces', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const simData = { text: 'x'.repeat(300_000) };
    const reply = await gateway.send('POST', '/jobs/direct', { json: { ...submission, sim_data: simData } });
    expect(reply.status).toBe(202);
    expect(submitted().simDataJson.toString()).toBe(JSON.stringify(simData));
    expect(Math.max(...submitted().pieceBytes)).toBeLessThanOrEqual(256 * 1024);
  });

  it.each(['direct', 'batch'])(
    '202: passes on to %s what becomes of quantities that cannot be scored',
    async (path) => {
      gateway.jobs.answers.submitJob = submissions.handle;
      const json = { ...submission, on_unsupported: 'omit' };
      const reply = await gateway.send('POST', `/jobs/${path}`, { json, cookie: gateway.ssoCookie });
      expect(reply.status).toBe(202);
      expect(submitted().onUnsupported).toBe(jobs.OnUnsupported.ON_UNSUPPORTED_OMIT);
    },
  );

  it('202: passes on the project exactly as written, with digits, order, blanks and unknown keys', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const project =
      '{ "b":1.00000000000000000001,"a":[1e400, 12345678901234567890],\n"__proto__":{"x":"}\\"]"},"é":"\\u00e9" }';
    const raw = `{"sim_data":{"first":1},"sim_type":"simB","ntasks":1,"input_type":"editor","x":[{}],"sim_data": ${project} }`;
    expect((await gateway.send('POST', '/jobs/direct', { raw })).status).toBe(202);
    expect(Buffer.from(submitted().simDataJson).toString()).toBe(project);
  });

  it.each([
    ['editor', 'input_json', { project: 1 }],
    ['files', 'input_files', { 'beam.dat': 'text' }],
  ])('202: takes the data of %s under the alias %s too', async (input_type, alias, data) => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const json = { sim_type: 'simC', ntasks: 1, input_type, [alias]: data };
    expect((await gateway.send('POST', '/jobs/direct', { json })).status).toBe(202);
    expect(Buffer.from(submitted().simDataJson).toString()).toBe(JSON.stringify(data));
  });

  it('202: has no internal number to give for a repeat whose job has been deleted', async () => {
    gateway.jobs.answers.submitJob = async () => ({ ...accepted, simulationId: 0n });
    const { body } = await gateway.send('POST', '/jobs/direct', { json: submission });
    expect(body).not.toHaveProperty('simulation_id');
  });

  it.each([-1, 1.5, 2 ** 60, 'x', '-1', '18446744073709551616', []])(
    '400: a seed of %j, with the range that is allowed',
    async (seed) => {
      const { status, body } = await gateway.send('POST', '/jobs/direct', { json: { ...submission, seed } });
      const message = expect.stringContaining('from 0 to 18446744073709551615; above 9007199254740991 as text');
      expect([status, body.errors]).toEqual([400, [{ field: 'seed', message }]]);
    },
  );

  it('202: takes optional members that are null as absent, data beside its alias among them', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const json = { ...submission, seed: null, title: null, sim_data: null, input_json: { a: 1 } };
    expect((await gateway.send('POST', '/jobs/direct', { json })).status).toBe(202);
    expect(Buffer.from(submitted().simDataJson).toString()).toBe('{"a":1}');
  });

  it('202: says what was left out', async () => {
    const warnings = [{ code: 'SCORER_LEFT_OUT', message: 'no such scorer' }];
    gateway.jobs.answers.submitJob = async () => ({ ...accepted, warnings });
    expect((await gateway.send('POST', '/jobs/direct', { json: submission })).body.warnings).toEqual(warnings);
  });

  it('400: names every missing field', async () => {
    const reply = await gateway.send('POST', '/jobs/direct', { json: {} });
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toEqual(
      ['sim_type', 'ntasks', 'input_type', 'sim_data'].map((field) => ({ field, message: 'is required' })),
    );
  });

  it.each([
    ['an unknown simulator', { sim_type: 'simE' }],
    ['no tasks', { ntasks: 0 }],
    ['half a task', { ntasks: 1.5 }],
    ['tasks as text', { ntasks: '2' }],
    ['more tasks than a number of the contract holds', { ntasks: 2 ** 31 }],
    ['an unknown kind of input', { input_type: 'url' }],
    ['data that is no object', { sim_data: [1] }],
    ['data that is null', { sim_data: null }],
    ['a title of two lines', { title: 'a\nb' }],
    ['a title that is too long', { title: 'x'.repeat(257) }],
    ['a negative seed', { seed: -1 }],
    ['a seed beyond 64 bits', { seed: '18446744073709551616' }],
    ['a seed whose digits JSON has lost', { seed: 2 ** 60 }],
    ['a seed in hexadecimal', { seed: '0xff' }],
    ['a seed that is no number at all', { seed: 'any' }],
    ['an unknown choice for what cannot be scored', { on_unsupported: 'ignore' }],
  ])('400: %s', async (_name, change) => {
    const reply = await gateway.send('POST', '/jobs/direct', { json: { ...submission, ...change } });
    expect([reply.status, reply.body.code]).toEqual([400, 'REQUEST_INVALID']);
    expect(gateway.jobs.calls).toEqual([]);
  });

  it('400: an Idempotency-Key that is no token', async () => {
    for (const key of ['x'.repeat(256), 'a b', 'é']) {
      const reply = await gateway.send('POST', '/jobs/direct', {
        json: submission,
        headers: { 'Idempotency-Key': key },
      });
      expect([reply.status, reply.body.code]).toEqual([400, 'REQUEST_INVALID']);
    }
  });

  it('400: what jobs finds wrong, with its fields', async () => {
    const fields = [{ field: '/sim_data/detectors/0/name', message: 'is required' }];
    gateway.jobs.answers.submitJob = refuse('PROJECT_INVALID', 'INVALID_ARGUMENT', { fields });
    const reply = await gateway.send('POST', '/jobs/direct', { json: submission });
    expect(reply.body).toMatchObject({
      status_code: 400,
      code: 'PROJECT_INVALID',
      errors: [{ field: 'sim_data/detectors/0/name', message: 'is required' }],
    });
  });

  it('401: without a session, before the body is read', async () => {
    const reply = await gateway.send('POST', '/jobs/direct', {
      cookie: '',
      raw: '{',
      headers: { 'Content-Type': 'x/y' },
    });
    expect(reply.status).toBe(401);
  });

  it('413: a body over the limit, and data over the limit of jobs', async () => {
    const json = { ...submission, sim_data: { x: 'x'.repeat(400_000) } };
    expect((await gateway.send('POST', '/jobs/direct', { json })).body.code).toBe('BODY_TOO_LARGE');
    gateway.jobs.answers.submitJob = refuse('SIM_DATA_TOO_LARGE', 'INVALID_ARGUMENT');
    expect((await gateway.send('POST', '/jobs/direct', { json: submission })).status).toBe(413);
  });

  it('422: the Idempotency-Key was used with another body', async () => {
    gateway.jobs.answers.submitJob = refuse('IDEMPOTENCY_KEY_REUSED', 'ALREADY_EXISTS');
    expect((await gateway.send('POST', '/jobs/direct', { json: submission })).status).toBe(422);
  });

  it('500: the project cannot be converted, with what could not', async () => {
    const fields = [{ field: '/sim_data/zones/1', message: 'is not closed' }];
    gateway.jobs.answers.submitJob = refuse('CONVERSION_FAILED', 'INTERNAL', { fields });
    const reply = await gateway.send('POST', '/jobs/direct', { json: submission });
    expect(reply.body).toMatchObject({ status_code: 500, code: 'CONVERSION_FAILED' });
    expect(reply.body.errors).toHaveLength(1);
  });

  it('500: a fault of a service, of which nothing is said', async () => {
    gateway.jobs.answers.submitJob = async () => {
      throw new Error('SELECT secret FROM /srv/app');
    };
    const reply = await gateway.send('POST', '/jobs/direct', { json: submission });
    expect(reply.body).toMatchObject({ status_code: 500, code: 'INTERNAL', message: 'internal error' });
    expect(reply.text).not.toMatch(/SELECT|srv| at /);
  });
});

const task = (change: Partial<jobs.Task> = {}): jobs.Task => ({
  taskId: 1,
  state: jobs.State.STATE_RUNNING,
  requestedPrimaries: 100n,
  simulatedPrimaries: 40n,
  lastUpdateTime: new Date('2026-01-02T03:04:05.006Z'),
  failure: '',
  attemptCount: 1,
  ...change,
});
const job = (change: Partial<jobs.Job> = {}): jobs.Job => ({
  jobId: 'j',
  simulationId: 12n,
  title: 'Water',
  platform: jobs.Platform.PLATFORM_DIRECT,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  state: jobs.State.STATE_RUNNING,
  startTime: new Date('2026-01-02T03:04:05Z'),
  taskCount: 1,
  seed: 1n,
  failure: '',
  clusterName: '',
  waitingReason: '',
  isStopped: false,
  ...change,
});

const STATUS_PATHS = [
  ['/jobs/direct', jobs.Platform.PLATFORM_DIRECT],
  ['/jobs/batch', jobs.Platform.PLATFORM_BATCH],
  ['/jobs', jobs.Platform.PLATFORM_UNSPECIFIED],
] as const;

describe.each(STATUS_PATHS)('GET %s', (path, platform) => {
  const get = (query = '?job_id=j') => gateway.send('GET', `${path}${query}`, { cookie: gateway.ssoCookie });

  it('200: state of the job and of its tasks; optional members only when they are set', async () => {
    const estimatedTime = { seconds: 3_725n, nanos: 0 };
    const startTime = new Date('2026-01-02T03:04:00Z');
    const endTime = new Date('2026-01-02T03:05:00Z');
    const tasks = [
      task({ estimatedTime, startTime }),
      task({ taskId: 2, endTime, estimatedTime: { seconds: 0n, nanos: 0 } }),
    ];
    gateway.jobs.answers.getJob = async () => jobAnswer(job(), tasks);
    const reply = await get();
    expect(reply.status).toBe(200);
    const always = {
      task_state: 'RUNNING',
      requested_primaries: 100,
      simulated_primaries: 40,
      last_update_time: '2026-01-02T03:04:05.006Z',
    };
    expect(reply.body).toEqual({
      message: 'Job status',
      simulation_id: 12,
      job_state: 'RUNNING',
      job_tasks_status: [
        {
          task_id: 1,
          ...always,
          estimated_time: { hours: 1, minutes: 2, seconds: 5 },
          start_time: '2026-01-02T03:04:00.000Z',
        },
        { task_id: 2, ...always, end_time: '2026-01-02T03:05:00.000Z' },
      ],
      submission: { platform: 'direct', sim_type: 'simA', input_type: 'editor', ntasks: 1, title: 'Water', seed: '1' },
    });
    expect(received('getJob')?.request).toEqual({ jobId: 'j', platform, knownVersion: '' });
    expect(received('getJob')?.context?.userId).toBe(7n);
  });

  it('200: with a validator; 304: jobs answers nothing else to who has that version', async () => {
    gateway.jobs.answers.getJob = async ({ knownVersion }) =>
      knownVersion === '7a' ? { version: '7a', job: undefined, tasks: undefined } : jobAnswer(job(), [task()], '7a');
    const reply = await get();
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    const etag = '"v1-7a"';
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, etag]);
    const again = async (ifNoneMatch: string) => {
      const headers = { 'If-None-Match': ifNoneMatch };
      const known = await gateway.send('GET', `${path}?job_id=j`, { cookie: gateway.ssoCookie, headers });
      return [known.status, known.text, known.headers.get('etag')];
    };
    for (const known of [etag, `"other", W/${etag}`]) expect(await again(known)).toEqual([304, '', etag]);
    expect(gateway.jobs.calls.at(-1)?.request).toEqual({ jobId: 'j', platform, knownVersion: '7a' });
    for (const other of ['"v1-7b"', '"other"', 'v1-7a']) expect(await again(other)).toEqual([200, reply.text, etag]);
    expect(await again('*')).toEqual([304, '', etag]);
  });

  it('200: says why a job failed', async () => {
    gateway.jobs.answers.getJob = async () =>
      jobAnswer(job({ state: jobs.State.STATE_FAILED, failure: 'out of memory' }));
    const failure_reason = { code: 'REPORTED', stage: 'run', detail: 'out of memory', retryable: true };
    expect((await get()).body).toMatchObject({ job_state: 'FAILED', failure: 'out of memory', failure_reason });
  });

  it('400: no job id, an empty one, two, or one with control characters', async () => {
    for (const query of ['', '?job_id=', '?job_id=a&job_id=b', '?job_id=%00', `?job_id=${'x'.repeat(129)}`]) {
      expect((await get(query)).status).toBe(400);
    }
  });

  it("403: another user's job; 404: none", async () => {
    gateway.jobs.answers.getJob = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await get()).status).toBe(403);
    gateway.jobs.answers.getJob = refuse('JOB_NOT_FOUND', 'NOT_FOUND', { message: 'x' });
    expect((await get()).body).toMatchObject({ status_code: 404, code: 'JOB_NOT_FOUND' });
  });

  it('200: the cluster, what the job waits for, and why a task failed, when there is such a thing', async () => {
    const tasks = [task({ state: jobs.State.STATE_FAILED, failure: CRASHED }), task({ taskId: 2 })];
    const waitingReason = 'The certificate has expired; log in again';
    gateway.jobs.answers.getJob = async () => jobAnswer(job({ clusterName: 'c1', waitingReason }), tasks);
    const { body } = await get();
    expect(body).toMatchObject({ cluster_name: 'c1', waiting_reason: waitingReason });
    expect(body.job_tasks_status).toEqual([
      expect.objectContaining({
        task_id: 1,
        failure: CRASHED,
        failure_reason: {
          code: 'SIMULATOR_CRASHED',
          stage: 'run',
          detail: 'the simulator crashed: signal SIGSEGV (attempt 3 of 3)',
          exit_code: null,
          signal: 'SIGSEGV',
          retryable: true,
        },
      }),
      expect.not.objectContaining({ failure: expect.anything(), failure_reason: expect.anything() }),
    ]);
  });

  it('500: a state outside the contract', async () => {
    gateway.jobs.answers.getJob = async () => jobAnswer(job({ state: jobs.State.STATE_UNSPECIFIED }));
    expect((await get()).body).toMatchObject({ status_code: 500, code: 'ANSWER_INVALID', message: 'internal error' });
  });
});

describe.each([
  ['/jobs/direct', jobs.Platform.PLATFORM_DIRECT],
  ['/jobs/batch', jobs.Platform.PLATFORM_BATCH],
] as const)('DELETE %s', (path, platform) => {
  const cancel = (query = '?job_id=j') => gateway.send('DELETE', `${path}${query}`, { cookie: gateway.ssoCookie });

  it('200: the state after the call, also of a job that had ended', async () => {
    gateway.jobs.answers.cancelJob = async () => ({ state: jobs.State.STATE_CANCELED });
    expect((await cancel()).body).toEqual({ message: 'Job canceled', job_state: 'CANCELED' });
    expect(received('cancelJob')?.request).toEqual({ jobId: 'j', platform });
    gateway.jobs.answers.cancelJob = async () => ({ state: jobs.State.STATE_COMPLETED });
    expect((await cancel()).body.job_state).toBe('COMPLETED');
  });

  it('400, 403, 404', async () => {
    expect((await cancel('')).status).toBe(400);
    gateway.jobs.answers.cancelJob = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await cancel()).status).toBe(403);
    gateway.jobs.answers.cancelJob = refuse('JOB_NOT_FOUND', 'NOT_FOUND');
    expect((await cancel()).status).toBe(404);
  });
});

describe.each([
  ['/jobs/direct/stop', jobs.Platform.PLATFORM_DIRECT],
  ['/jobs/batch/stop', jobs.Platform.PLATFORM_BATCH],
] as const)('POST %s', (path, platform) => {
  const stop = (query = '?job_id=j') => gateway.send('POST', `${path}${query}`, { cookie: gateway.ssoCookie });

  it('200: the state after the call, in words also where nothing was to be stopped', async () => {
    const answerWith = (state: jobs.State, isStopped: boolean) => {
      gateway.jobs.answers.stopJob = async () => ({ state, isStopped });
    };
    answerWith(jobs.State.STATE_RUNNING, true);
    expect((await stop()).body).toEqual({ message: 'Job stopped', job_state: 'RUNNING', stopped: true });
    expect(received('stopJob')?.request).toEqual({ jobId: 'j', platform });
    answerWith(jobs.State.STATE_COMPLETED, false);
    expect((await stop()).body).toMatchObject({ message: expect.stringContaining('is COMPLETED'), stopped: false });
    answerWith(jobs.State.STATE_CANCELED, true);
    expect((await stop()).body.message).toBe('Job canceled: nothing had been simulated that could be kept');
  });

  it('400, 403, 404', async () => {
    expect((await stop('')).status).toBe(400);
    gateway.jobs.answers.stopJob = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await stop()).status).toBe(403);
    gateway.jobs.answers.stopJob = refuse('JOB_NOT_FOUND', 'NOT_FOUND');
    expect((await stop()).status).toBe(404);
  });
});

describe('the batch platform', () => {
  it.each([
    ['POST', '/jobs/batch'],
    ['GET', '/jobs/batch?job_id=j'],
    ['DELETE', '/jobs/batch?job_id=j'],
    ['GET', '/clusters'],
  ])('403: %s %s is not for local users', async (method, path) => {
    const reply = await gateway.send(method, path, method === 'POST' ? { json: submission } : {});
    expect([reply.status, reply.body.code]).toEqual([403, 'SSO_REQUIRED']);
    expect(gateway.jobs.calls).toEqual([]);
  });

  const submitBatch = (batch_options?: unknown) =>
    gateway.send('POST', '/jobs/batch', { json: { ...submission, batch_options }, cookie: gateway.ssoCookie });

  it('202: passes the cluster and the options on as they are', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    const scheduler_options = { time: '1:00', 'cpus-per-task': 2, comment: "'; rm -rf $(HOME)\n", deep: { a: [1] } };
    expect((await submitBatch({ cluster_name: 'c', scheduler_options, later: 1 })).status).toBe(202);
    expect(submitted()).toMatchObject({ platform: jobs.Platform.PLATFORM_BATCH, clusterName: 'c' });
    expect(JSON.parse(submitted().schedulerOptionsJson.toString())).toEqual(scheduler_options);
  });

  it('202: says nothing of a cluster when the user does not', async () => {
    gateway.jobs.answers.submitJob = submissions.handle;
    for (const options of [undefined, {}]) {
      expect((await submitBatch(options)).status).toBe(202);
      expect(submitted().clusterName).toBeUndefined();
      expect(submitted().schedulerOptionsJson).toHaveLength(0);
    }
  });

  it.each([
    ['options of 10 kB', { scheduler_options: { comment: 'é'.repeat(5_000) } }, 'batch_options/scheduler_options'],
    ['options that are a list', { scheduler_options: [] }, 'batch_options/scheduler_options'],
    ['a cluster of two lines', { cluster_name: 'a\nb' }, 'batch_options/cluster_name'],
    ['a cluster without a name', { cluster_name: '' }, 'batch_options/cluster_name'],
    ['options of nothing', 'fast', 'batch_options'],
  ])('400: %s', async (_what, options, field) => {
    const { status, body } = await submitBatch(options);
    expect([status, body.code]).toEqual([400, 'REQUEST_INVALID']);
    expect(body.errors).toEqual([{ field, message: expect.any(String) }]);
    expect(gateway.jobs.calls).toEqual([]);
  });

  it('400: what the cluster does not take, with its fields', async () => {
    const fields = [{ field: 'batch_options/scheduler_options/partition', message: 'is not a partition' }];
    gateway.jobs.answers.submitJob = refuse('OPTION_INVALID', 'INVALID_ARGUMENT', { fields });
    expect((await submitBatch({})).body).toMatchObject({ status_code: 400, code: 'OPTION_INVALID', errors: fields });
  });

  it('500: in the words of the cluster, with the id of the job that is left', async () => {
    const message = 'sbatch: error: Batch job submission failed (job j)';
    gateway.jobs.answers.submitJob = async () => {
      throw new ServiceError('jobs', 'BATCH_SUBMISSION_FAILED', 'INTERNAL', message);
    };
    expect((await submitBatch({})).body).toMatchObject({ status_code: 500, code: 'BATCH_SUBMISSION_FAILED', message });
  });

  it('501: where there is none', async () => {
    gateway.jobs.answers.submitJob = refuse('PLATFORM_UNIMPLEMENTED', 'UNIMPLEMENTED');
    gateway.batchBridge.answers.listClusters = refuse('BATCH_UNIMPLEMENTED', 'UNIMPLEMENTED');
    expect((await submitBatch({ cluster_name: 'c' })).status).toBe(501);
    expect((await gateway.send('GET', '/clusters', { cookie: gateway.ssoCookie })).status).toBe(501);
  });
});

describe('GET /user/simulations', () => {
  it('200: a page with the defaults of the interface', async () => {
    gateway.jobs.answers.listJobs = async () => pageAnswer([job({ taskCount: 3 })], 7n);
    const reply = await gateway.send('GET', '/user/simulations');
    expect(reply.body).toEqual({
      message: 'User simulations',
      simulations: [
        {
          job_id: 'j',
          title: 'Water',
          start_time: '2026-01-02T03:04:05.000Z',
          end_time: null,
          job_state: 'RUNNING',
          sim_type: 'simA',
          input_type: 'editor',
          platform: 'direct',
          ntasks: 3,
        },
      ],
      page_count: 2,
      simulations_count: 7,
    });
    expect(received('listJobs')?.request).toEqual({
      pageSize: 6,
      pageIndex: 1,
      order: jobs.JobOrder.JOB_ORDER_START_TIME,
      isAscending: false,
      states: [],
      knownVersion: '',
    });
  });

  it('200: all parameters are passed on; unknown ones are ignored', async () => {
    gateway.jobs.answers.listJobs = async () => pageAnswer([], 0n);
    const query = 'page_size=100&page_idx=3&order_by=end_time&order_type=ascend&job_state=RUNNING,%20FAILED&_=1';
    const reply = await gateway.send('GET', `/user/simulations?${query}`);
    expect(reply.body).toMatchObject({ simulations: [], page_count: 0, simulations_count: 0 });
    expect(received('listJobs')?.request).toEqual({
      pageSize: 100,
      pageIndex: 3,
      order: jobs.JobOrder.JOB_ORDER_END_TIME,
      isAscending: true,
      states: [jobs.State.STATE_RUNNING, jobs.State.STATE_FAILED],
      knownVersion: '',
    });
    expect((await gateway.send('GET', '/user/simulations?job_state=')).status).toBe(200);
  });

  it('200: with a validator; 304: jobs answers nothing else to who has that version', async () => {
    gateway.jobs.answers.listJobs = async ({ knownVersion }) =>
      knownVersion === '7a' ? { version: '7a', page: undefined } : pageAnswer([job()], 1n, '7a');
    const reply = await gateway.send('GET', '/user/simulations');
    const etag = '"v1-7a"';
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, etag]);
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    const again = await gateway.send('GET', '/user/simulations', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  it.each([
    'page_size=0', 'page_size=101', 'page_size=-1', 'page_size=1.5', 'page_size=1e1', 'page_size=', 'page_size=%20',
    'page_size=99999999999999999999', 'page_idx=0', 'page_idx=abc', 'page_idx=1&page_idx=2', 'order_by=password_hash',
    'order_by=toString', 'order_type=desc', 'job_state=DONE', 'job_state=RUNNING,,', 'job_state=running',
  ])('400: %s', async (query) => {
    expect((await gateway.send('GET', `/user/simulations?${query}`)).status).toBe(400);
  }); // biome-ignore format: a list
});

describe('DELETE /user/simulations', () => {
  const remove = (query = '?job_id=j') => gateway.send('DELETE', `/user/simulations${query}`);

  it('200: deleted', async () => {
    gateway.jobs.answers.deleteJob = async () => ({});
    expect((await remove()).body).toEqual({ message: 'Simulation deleted' });
  });

  it('400 without job_id, 403 of another user, 404 not found, 409 still running', async () => {
    expect((await remove('')).body.errors).toEqual([{ field: 'job_id', message: 'is required' }]);
    gateway.jobs.answers.deleteJob = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await remove()).status).toBe(403);
    gateway.jobs.answers.deleteJob = refuse('JOB_NOT_FOUND', 'NOT_FOUND');
    expect((await remove()).status).toBe(404);
    gateway.jobs.answers.deleteJob = refuse('JOB_NOT_TERMINAL', 'ABORTED');
    expect((await remove()).body).toMatchObject({ status_code: 409, code: 'JOB_NOT_TERMINAL' });
  });
});

describe('GET /simulators', () => {
  it('200: what each name runs on, also without a session', async () => {
    const simulators = [
      { simulator: jobs.Simulator.SIMULATOR_SIM_A, isAvailable: true, engine: 'reference 0.1.0' },
      { simulator: jobs.Simulator.SIMULATOR_SIM_D, isAvailable: false, engine: '' },
    ];
    gateway.jobs.answers.listSimulators = async () => ({
      simulators,
      confinements: [jobs.Confinement.CONFINEMENT_BUBBLEWRAP],
    });
    const { body } = await gateway.send('GET', '/simulators', { cookie: '' });
    expect(body.confinement).toEqual(['bubblewrap']);
    expect(body.simulators).toEqual([
      { sim_type: 'simA', available: true, engine: 'reference 0.1.0' },
      { sim_type: 'simD', available: false, engine: '' },
    ]);
  });
});
