import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const unknownJob = () => new ServiceError('results', 'JOB_NOT_FOUND', 'NOT_FOUND', 'no such job');
/** Every read of results, its RPC and the jobs that it reads. */
const READS = [
  ['/inputs?job_id=j', 'getInput', ['j']],
  ['/results?job_id=j', 'getResults', ['j']],
  ['/results?job_id=j&format=csv', 'exportResults', ['j']],
  ['/results/compare?job_id=j&with=k', 'compareResults', ['j', 'k']],
  ['/estimators?job_id=j', 'listEstimators', ['j']],
  ['/logfiles?job_id=j', 'getLogs', ['j']],
] as const;
const calls = (rpc: string) =>
  [...gateway.jobs.calls, ...gateway.results.calls].filter((call) => call.rpc === rpc).map(({ request }) => request);

describe('a read of a job that results does not know', () => {
  for (const [path, rpc, jobIds] of READS) {
    it(`is made again when jobs has delivered its input: ${path}`, async () => {
      gateway.results.answers[rpc] = () => {
        throw unknownJob();
      };
      gateway.jobs.answers.deliverInput = async () => ({});
      expect((await gateway.send('GET', path)).status).toBe(404);
      expect(calls('deliverInput')).toEqual(jobIds.map((jobId) => ({ jobId })));
      expect(calls(rpc)).toHaveLength(2);
      expect(gateway.jobs.calls.every(({ context }) => context?.userId === 7n)).toBe(true);
    });
  }

  it('is answered then as if it had been there', async () => {
    let isDelivered = false;
    gateway.jobs.answers.deliverInput = async () => {
      isDelivered = true;
      return {};
    };
    gateway.results.answers.getInput = async function* () {
      if (!isDelivered) throw unknownJob();
      const about = { jobId: 'j', ownerId: 7n, kind: results.InputKind.INPUT_KIND_FILES, warnings: [] };
      yield { part: { $case: 'header' as const, value: about } };
      const role = results.DocumentRole.DOCUMENT_ROLE_SUBMITTED;
      yield { part: { $case: 'document' as const, value: { role, name: 'sim_data.json' } } };
      yield { part: { $case: 'chunk' as const, value: Buffer.from('{"beam.dat":"x"}') } };
    };
    const { status, body } = await gateway.send('GET', '/inputs?job_id=j');
    expect([status, body]).toMatchObject([200, { input: { 'beam.dat': 'x' } }]);
  });

  it('is refused with what jobs says, unless that is of the release before', async () => {
    gateway.results.answers.getInput = () => {
      throw unknownJob();
    };
    for (const [status, answer] of [
      ['UNAVAILABLE', 503],
      ['UNIMPLEMENTED', 404],
    ] as const) {
      gateway.jobs.answers.deliverInput = () => Promise.reject(new ServiceError('results', 'R', status, 'not now'));
      expect((await gateway.send('GET', '/inputs?job_id=j')).status).toBe(answer);
    }
  });

  it('is not made again after any other error', async () => {
    gateway.results.answers.getInput = () => {
      throw new ServiceError('results', 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED', 'not yours');
    };
    expect((await gateway.send('GET', '/inputs?job_id=j')).status).toBe(403);
    expect(calls('deliverInput')).toEqual([]);
  });
});
