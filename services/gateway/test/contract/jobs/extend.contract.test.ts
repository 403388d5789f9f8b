import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { jobAnswer } from '../../stand-ins/job-answers.js';
import { takeSubmissions } from '../../stand-ins/submissions.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

describe.each([
  ['/jobs/direct/extend', jobs.Platform.PLATFORM_DIRECT],
  ['/jobs/batch/extend', jobs.Platform.PLATFORM_BATCH],
] as const)('POST %s', (path, platform) => {
  const extend = (json: object, headers = {}) =>
    gateway.send('POST', path, { json, headers, cookie: gateway.ssoCookie });

  it('202: tasks and primaries of the job in all', async () => {
    gateway.jobs.answers.extendJob = async () => ({ taskCount: 8, primaries: 30_000n });
    const { status, body } = await extend({ job_id: 'j', primaries: 10_000, ntasks: 4 });
    const answer = { message: 'Job extended', job_id: 'j', job_state: 'PENDING', ntasks: 8, primaries: 30_000 };
    expect([status, body]).toEqual([202, answer]);
    expect(gateway.jobs.calls.at(-1)?.request).toEqual({
      jobId: 'j',
      platform,
      primaries: 10_000n,
      taskCount: 4,
      idempotencyKey: '',
    });
    await extend({ job_id: 'j', primaries: 1 }, { 'idempotency-key': 'once' });
    expect(gateway.jobs.calls.at(-1)?.request).toEqual({
      jobId: 'j',
      platform,
      primaries: 1n,
      idempotencyKey: 'once',
    });
  });

  it('400, 403, 404, 409, 422', async () => {
    expect((await extend({ job_id: 'j', primaries: 1 }, { 'idempotency-key': 'two words' })).status).toBe(400);
    for (const body of [{ primaries: 1 }, { job_id: 'j' }, { job_id: 'j', primaries: 0 }])
      expect((await extend(body)).status).toBe(400);
    const statuses = [
      ['JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED', 403],
      ['JOB_NOT_FOUND', 'NOT_FOUND', 404],
      ['JOB_NOT_EXTENDABLE', 'ABORTED', 409],
      ['IDEMPOTENCY_KEY_REUSED', 'INVALID_ARGUMENT', 422],
    ] as const;
    for (const [reason, word, status] of statuses) {
      gateway.jobs.answers.extendJob = async () => {
        throw new ServiceError('jobs', reason, word, 'no');
      };
      expect((await extend({ job_id: 'j', primaries: 1 })).status).toBe(status);
    }
  });
});

describe('POST /jobs/batch/extend', () => {
  it('501: where there is no batch platform', async () => {
    gateway.jobs.answers.extendJob = async () => {
      throw new ServiceError('jobs', 'PLATFORM_UNIMPLEMENTED', 'UNIMPLEMENTED', 'no');
    };
    const json = { job_id: 'j', primaries: 1 };
    expect((await gateway.send('POST', '/jobs/batch/extend', { json, cookie: gateway.ssoCookie })).status).toBe(501);
  });

  it('403: is not for local users', async () => {
    const { status, body } = await gateway.send('POST', '/jobs/batch/extend', { json: { job_id: 'j', primaries: 1 } });
    expect([status, body.code]).toEqual([403, 'SSO_REQUIRED']);
  });
});

describe('a target', () => {
  const target = { estimator: 'E', page: 2, relative_error: 0.02, max_primaries: 1_000 };

  it('goes to jobs with the submission, and is refused where it is none', async () => {
    const submissions = takeSubmissions({ jobId: 'j', simulationId: 1n, seed: 1n, warnings: [] });
    gateway.jobs.answers.submitJob = submissions.handle;
    const submission = { sim_type: 'simA', ntasks: 2, input_type: 'editor', sim_data: {} };
    const submit = async (more: object) => {
      const json = { ...submission, target: { ...target, ...more } };
      return (await gateway.send('POST', '/jobs/direct', { json })).status;
    };
    expect(await submit({})).toBe(202);
    const sent = { estimatorName: 'E', pageNumber: 2, relativeError: 0.02, maxPrimaries: 1_000n };
    expect(submissions.last()).toMatchObject({ target: sent });
    const faults = [{ relative_error: 1 }, { relative_error: 0 }, { max_primaries: 9 }, { page: 0 }, { estimator: '' }];
    for (const wrong of faults) expect(await submit(wrong)).toBe(400);
  });

  it('is shown with how near to it a job is, and whether it was reached', async () => {
    const time = new Date(0);
    const job = {
      jobId: 'j',
      title: 'T',
      platform: jobs.Platform.PLATFORM_DIRECT,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      state: jobs.State.STATE_PENDING,
      startTime: time,
      taskCount: 2,
      seed: 1n,
      failure: '',
      clusterName: '',
      waitingReason: '',
      simulationId: 1n,
      isStopped: false,
    };
    const asked = { estimatorName: 'E', relativeError: 0.02, maxPrimaries: 1_000n };
    const points = [
      { primaries: 100n, relativeError: 0.04, time },
      { primaries: 200n, time },
    ];
    const status = async (convergence: jobs.Convergence) => {
      gateway.jobs.answers.getJob = async () => jobAnswer({ ...job, convergence });
      return (await gateway.send('GET', '/jobs/direct?job_id=j')).body;
    };
    const shown = {
      estimator: 'E',
      relative_error: 0.02,
      max_primaries: 1_000,
      convergence: [
        { primaries: 100, relative_error: 0.04, time: time.toISOString() },
        { primaries: 200, relative_error: null, time: time.toISOString() },
      ],
    };
    const running = await status({ target: asked, points, predictedPrimaries: 400n, predictedSeconds: 1.5 });
    expect(running.target).toEqual({ ...shown, predicted_primaries: 400, predicted_seconds: 1.5 });
    expect(running).not.toHaveProperty('target_reached');
    expect(await status({ target: asked, points, isReached: false })).toMatchObject({
      target: shown,
      target_reached: false,
    });
  });
});
