import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { takeSubmissions } from '../../stand-ins/submissions.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const submission = { sim_type: 'simA', ntasks: 2, input_type: 'editor', sim_data: { project: { title: 'Water' } } };
const time = (seconds: bigint, nanos = 0) => ({ seconds, nanos });
const times = (from: bigint) => ({
  expected: time(from, 260_000_000),
  low: time(from / 2n),
  high: time(from * 1_234n),
});
const send = (json: object = submission) => gateway.send('POST', '/estimate', { json });

describe('POST /estimate', () => {
  it('200: seconds for each simulator, to what is known of them, and why one cannot do it', async () => {
    const asked = takeSubmissions({
      primaries: 1000n,
      slotCount: 4,
      waitingTaskCount: 7,
      tasksBefore: 3,
      clusterName: '',
      simulators: [
        {
          simulator: jobs.Simulator.SIMULATOR_SIM_A,
          engine: 'reference 0.2.0',
          processor: times(10n),
          wall: times(5n),
          basis: jobs.EstimateBasis.ESTIMATE_BASIS_ALIKE,
          jobCount: 3,
          refusal: '',
        },
        {
          simulator: jobs.Simulator.SIMULATOR_SIM_B,
          engine: 'simB 4.1',
          basis: jobs.EstimateBasis.ESTIMATE_BASIS_MODEL,
          jobCount: 0,
          refusal: 'has no such filter',
        },
      ],
    });
    gateway.jobs.answers.estimateJob = asked.handle;
    const reply = await send({ ...submission, batch_options: { cluster_name: 'alpha' } });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        message: 'Estimate',
        primaries: 1000,
        ntasks: 2,
        slots: 4,
        waiting_tasks: 7,
        tasks_before: 3,
        simulators: [
          {
            sim_type: 'simA',
            engine: 'reference 0.2.0',
            processor_seconds: { expected: 10.3, low: 5, high: 12_300 },
            wall_seconds: { expected: 5.3, low: 2, high: 6_170 },
            basis: 'alike',
            jobs: 3,
          },
          { sim_type: 'simB', engine: 'simB 4.1', refusal: 'has no such filter' },
        ],
      },
    ]);
    expect(asked.last()).toMatchObject({
      platform: jobs.Platform.PLATFORM_DIRECT,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      taskCount: 2,
      simDataJson: Buffer.from(JSON.stringify(submission.sim_data)),
    });
  });

  it('200: for a cluster, with the time that a task may take there; 403: not for a local user', async () => {
    const body = {
      ...submission,
      platform: 'batch',
      batch_options: { cluster_name: 'alpha', scheduler_options: { time: '30' } },
    };
    expect(await send(body)).toMatchObject({ status: 403, body: { code: 'SSO_REQUIRED' } });
    expect(gateway.jobs.calls.filter(({ rpc }) => rpc === 'estimateJob')).toEqual([]);
    const wallTimeLimit = time(1_800n);
    const asked = takeSubmissions({
      primaries: 1000n,
      slotCount: 2,
      waitingTaskCount: 0,
      tasksBefore: 0,
      simulators: [],
      clusterName: 'alpha',
      wallTimeLimit,
    });
    gateway.jobs.answers.estimateJob = asked.handle;
    const reply = await gateway.send('POST', '/estimate', { json: body, cookie: gateway.ssoCookie });
    expect(reply.body).toMatchObject({ cluster_name: 'alpha', wall_time_limit_seconds: 1_800, slots: 2 });
    expect(asked.last()).toMatchObject({
      platform: jobs.Platform.PLATFORM_BATCH,
      clusterName: 'alpha',
      schedulerOptionsJson: Buffer.from('{"time":"30"}'),
    });
    gateway.jobs.answers.estimateJob = async () => {
      throw new ServiceError('batch-bridge', 'BATCH_UNIMPLEMENTED', 'UNIMPLEMENTED', 'There is no cluster');
    };
    expect((await gateway.send('POST', '/estimate', { json: body, cookie: gateway.ssoCookie })).status).toBe(501);
  });

  it('200: a large project goes to jobs in pieces', async () => {
    const estimate = {
      primaries: 1n,
      slotCount: 0,
      waitingTaskCount: 0,
      tasksBefore: 0,
      simulators: [],
      clusterName: '',
    };
    const asked = takeSubmissions(estimate);
    gateway.jobs.answers.estimateJob = asked.handle;
    const simData = { text: 'x'.repeat(300_000) };
    expect((await send({ ...submission, sim_data: simData })).status).toBe(200);
    expect(asked.last().simDataJson.toString()).toBe(JSON.stringify(simData));
    expect(Math.max(...asked.last().pieceBytes)).toBeLessThanOrEqual(256 * 1024);
  });

  it('400: as at submission; 500: the project cannot be converted', async () => {
    expect((await send({ ...submission, ntasks: 0 })).status).toBe(400);
    expect((await send({ ...submission, sim_data: undefined })).status).toBe(400);
    gateway.jobs.answers.estimateJob = async () => {
      throw new ServiceError('jobs', 'PROJECT_INVALID', 'INVALID_ARGUMENT', 'The project is not valid', {
        fields: [{ field: '/sim_data/beam', message: 'is missing' }],
      });
    };
    expect((await send()).body).toMatchObject({ code: 'PROJECT_INVALID', errors: [{ field: 'sim_data/beam' }] });
    gateway.jobs.answers.estimateJob = async () => {
      throw new ServiceError('jobs', 'CONVERSION_FAILED', 'INTERNAL', 'The project cannot be converted');
    };
    expect((await send()).status).toBe(500);
  });
});
