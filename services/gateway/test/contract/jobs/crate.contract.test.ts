import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, results } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { jobAnswer } from '../../stand-ins/job-answers.js';
import { refusalsOf } from '../../stand-ins/refuse.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const task = (taskId: number): jobs.Task => ({
  taskId,
  state: jobs.State.STATE_COMPLETED,
  requestedPrimaries: 50n,
  simulatedPrimaries: 50n,
  lastUpdateTime: new Date(1),
  failure: '',
  attemptCount: 1,
});
const JOB: jobs.Job = {
  jobId: 'j',
  title: 'Water',
  platform: jobs.Platform.PLATFORM_DIRECT,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  state: jobs.State.STATE_COMPLETED,
  startTime: new Date('2026-01-02T03:04:05.678Z'),
  endTime: new Date('2026-01-02T03:05:05.678Z'),
  taskCount: 2,
  seed: 2n ** 64n - 1n,
  failure: '',
  clusterName: '',
  waitingReason: '',
  simulationId: 12n,
  isStopped: false,
};
type Part = NonNullable<results.ExportCrateResponse['part']>;
const crateOf = (...parts: Part[]) =>
  async function* () {
    for (const part of parts) yield { part };
  };
const header: Part = { $case: 'header', value: { fileName: 'j.crate.zip', version: 'v1' } };

function answerWith(job: jobs.Job, ...parts: Part[]) {
  gateway.jobs.answers.getJob = async () => jobAnswer(job, [task(1), task(2)]);
  gateway.jobs.answers.listJobRunners = async () => ({ runners: [{ runnerId: 'runner-1', taskCount: 2 }] });
  gateway.results.answers.exportCrate = crateOf(...parts);
}
const asked = () => gateway.results.calls.find(({ rpc }) => rpc === 'exportCrate')?.request;
const refuse = refusalsOf('jobs');

describe('GET /jobs/crate', () => {
  it('200: the zip as results makes it, of what jobs and the session say', async () => {
    answerWith(JOB, header, { $case: 'chunk', value: Buffer.from('PK') }, { $case: 'chunk', value: Buffer.from('!') });
    const reply = await gateway.send('GET', '/jobs/crate?job_id=j&format=npz&license=MIT');
    expect([reply.status, reply.text]).toEqual([200, 'PK!']);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="j.crate.zip"');
    expect(asked()).toEqual({
      jobId: 'j',
      format: results.ExportFormat.EXPORT_FORMAT_NPZ,
      job: {
        title: 'Water',
        simulator: 'simA',
        platform: 'direct',
        seed: 2n ** 64n - 1n,
        taskCount: 2,
        primaries: 100n,
        state: 'COMPLETED',
        failure: '',
        startTime: JOB.startTime,
        endTime: JOB.endTime,
        machines: ['runner-1'],
      },
      agent: 'ada',
      license: 'MIT',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it('200: names the cluster of a batch job as its machine', async () => {
    answerWith({ ...JOB, platform: jobs.Platform.PLATFORM_BATCH, clusterName: 'alpha' }, header);
    expect((await gateway.send('GET', '/jobs/crate?job_id=j')).status).toBe(200);
    expect(asked()).toMatchObject({ job: { machines: ['alpha'], platform: 'batch' } });
  });

  it('304: the client has this version', async () => {
    answerWith(JOB, header);
    const etag = (await gateway.send('GET', '/jobs/crate?job_id=j')).headers.get('etag') ?? '';
    const again = { headers: { 'If-None-Match': etag } };
    expect((await gateway.send('GET', '/jobs/crate?job_id=j', again)).status).toBe(304);
    expect((await gateway.send('GET', '/jobs/crate?job_id=j&license=MIT', again)).status).toBe(200);
  });

  it.each(['job_id=j&format=json', 'format=npz', 'job_id=j&license=', 'job_id=j&license=a%0Ab'])(
    '400: %s',
    async (query) => {
      expect((await gateway.send('GET', `/jobs/crate?${query}`)).status).toBe(400);
    },
  );

  it("403: another user's job; 404: no such job; 409: it has not ended", async () => {
    answerWith(JOB);
    gateway.jobs.answers.getJob = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await gateway.send('GET', '/jobs/crate?job_id=j')).status).toBe(403);
    gateway.jobs.answers.getJob = refuse('JOB_NOT_FOUND', 'NOT_FOUND');
    expect((await gateway.send('GET', '/jobs/crate?job_id=j')).status).toBe(404);
    answerWith(JOB);
    gateway.results.answers.exportCrate = async function* () {
      yield* [];
      throw new ServiceError('results', 'JOB_NOT_ENDED', 'FAILED_PRECONDITION', 'The job has not ended yet');
    };
    expect((await gateway.send('GET', '/jobs/crate?job_id=j')).status).toBe(409);
  });
});
