import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { startStandIn } from '../stand-ins/stand-in.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const anonymous = { cookie: '' };

describe('GET /', () => {
  it('200: name and version', async () => {
    const { body } = await gateway.send('GET', '/', anonymous);
    expect(body).toEqual({
      message: 'Tally is running',
      name: 'tally',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });
});

describe('GET /limits', () => {
  it('200: the quotas of jobs beside them', async () => {
    gateway.jobs.answers.getQuotas = async () => ({
      openJobsPerUserMax: 1n,
      openTasksPerUserMax: 2n,
      queuedPrimariesPerUserMax: 3n,
      runningTasksPerUserMax: 0n,
      storedBytesPerUserMax: 5n,
      projectsPerUserMax: 6n,
      projectBytesPerUserMax: 7n,
    });
    const { body } = await gateway.send('GET', '/limits', anonymous);
    expect(body.limits).toMatchObject({
      open_jobs_per_user_max: 1,
      open_tasks_per_user_max: 2,
      queued_primaries_per_user_max: 3,
      running_tasks_per_user_max: 0,
      stored_bytes_per_user_max: 5,
      projects_per_user_max: 6,
      project_bytes_per_user_max: 7,
    });
  });

  it.each([
    ['does not know them', 'UNIMPLEMENTED'],
    ['is away', 'UNAVAILABLE'],
    ['does not answer in time', 'DEADLINE_EXCEEDED'],
  ] as const)('200: what this gateway was configured with, and no quotas where jobs %s', async (_what, status) => {
    gateway.jobs.answers.getQuotas = () => Promise.reject(new ServiceError('grpc', 'X', status, ''));
    const { body } = await gateway.send('GET', '/limits', anonymous);
    expect(body.message).toBe('Limits of this service; quotas of users are not known now');
    expect(body.limits).toEqual({
      body_bytes_max: 65_536,
      submission_bytes_max: 62_000_000,
      project_bytes_max: 4_194_304,
      results_bytes_max: 512_000_000,
      result_numbers_max: 20_000_000,
      result_pages_max: 1_000,
      json_keys_max: 250_000,
      json_values_max: 1_000_000,
      json_depth_max: 500,
      header_bytes_max: 16_384,
      headers_timeout_ms: 10_000,
      receive_rate_bytes_min: 4_096,
      receive_timeout_ms: 120_000,
      call_timeout_ms: 10_000,
      submit_timeout_ms: 120_000,
      stream_timeout_ms: 600_000,
      event_streams_per_user_max: 10,
      event_heartbeat_ms: 15_000,
    });
  });
});

describe('GET /livez and GET /readyz', () => {
  it('200: every dependency with state and latency', async () => {
    expect((await gateway.send('GET', '/livez', anonymous)).status).toBe(200);
    const ready = await gateway.send('GET', '/readyz', anonymous);
    expect(ready.status).toBe(200);
    expect(ready.body.dependencies).toEqual(
      ['auth', 'jobs', 'results', 'batch-bridge'].map((name) => ({
        name,
        state: 'up',
        latency_ms: expect.any(Number),
      })),
    );
  });

  it('503 when one is down, and 200 again when it is back; alive all the time', async () => {
    await gateway.jobs.stop();
    const reply = await gateway.send('GET', '/readyz', anonymous);
    expect(reply.body).toMatchObject({ status_code: 503, code: 'NOT_READY' });
    expect(reply.body.dependencies).toContainEqual({
      name: 'jobs',
      state: 'down',
      latency_ms: expect.any(Number),
      reason: 'it does not answer',
    });
    expect(reply.body.dependencies).toContainEqual({ name: 'auth', state: 'up', latency_ms: expect.any(Number) });
    expect((await gateway.send('GET', '/livez', anonymous)).status).toBe(200);
    const back = await startStandIn(gateway.jobs.definition, Number(gateway.jobs.address.split(':')[1]));
    await waitFor(async () => (await gateway.send('GET', '/readyz', anonymous)).status === 200);
    await back.stop();
  });
});

describe('a deployment without clusters', () => {
  it('asks nothing of batch-bridge: 200, and no clusters', async () => {
    const alone = await startGatewayUnderTest({ batchBridgeAddress: '' });
    try {
      const { status, body } = await alone.send('GET', '/readyz', anonymous);
      expect(status).toBe(200);
      const expected = ['auth', 'jobs', 'results'].map((name) => expect.objectContaining({ name, state: 'up' }));
      expect(body.dependencies).toEqual(expected);
      expect((await alone.send('GET', '/clusters', { cookie: alone.ssoCookie })).body.clusters).toEqual([]);
    } finally {
      await alone.stop();
    }
  });
});
