import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createGrpcClient } from '@tally/service-kit';
import {
  deployMigrations,
  type Postgres,
  startOwnPostgres,
  testCallers,
  testCallerToken,
  waitFor,
} from '@tally/testkit';
import { startTestResults } from '../../../testing/start.js';
import { ofOneLog } from '../../one-log.js';
import { inputMessages, pageHeader, streamOf, taskOutputMessages, taskPage } from '../../results-suite.js';

let server: Postgres;
let service: Awaited<ReturnType<typeof startTestResults>>;
const connect = (caller: string) =>
  createGrpcClient(results.ResultsServiceService, {
    target: `127.0.0.1:${service.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 5_000,
  });
let jobs: ReturnType<typeof connect>;
let runner: ReturnType<typeof connect>;

beforeAll(async () => {
  server = await startOwnPostgres();
  await server.createDatabase('results');
  await deployMigrations(path.join(import.meta.dirname, '../../../prisma/migrations'), server.url('results'));
  service = await startTestResults({
    databaseUrl: server.url('results'),
    callers: testCallers('jobs', 'direct-runner'),
  });
  jobs = connect('jobs');
  runner = connect('direct-runner');
});
afterAll(async () => {
  jobs.close();
  runner.close();
  await service.stop();
  await server.stop();
});

describe('a database that goes away', () => {
  it('makes calls UNAVAILABLE, an upload in the middle too, and everything works again once it is back', async () => {
    const { power } = server;
    if (power === undefined) throw new Error('this server cannot be cut off');
    await jobs.createInput(streamOf(inputMessages('job')));
    const [header, page, ...chunks] = taskOutputMessages('job', 1, [taskPage(pageHeader([100_000]), () => 1)]);
    if (header === undefined || page === undefined) throw new Error('no messages');
    const cutUpload = async function* () {
      yield header;
      yield page;
      yield* chunks.slice(0, 20); // more than a statement's worth: the transaction is under way
      await power.cut();
      yield* chunks.slice(20);
    };
    await expect(runner.putTaskOutput(cutUpload())).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    const merge = { jobId: 'job', taskIds: [1], isPartial: false, isStopped: false, mergeNumber: 1 };
    await expect(jobs.mergeOutputs(merge, { timeoutMs: 1_000 })).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    const append = { jobId: 'job', taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.from('x') };
    await expect(runner.appendLogs(ofOneLog(append), { timeoutMs: 1_000 })).rejects.toMatchObject({
      status: 'UNAVAILABLE',
    });
    await expect(runner.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    await power.restore();
    await waitFor(async () => {
      await runner.checkReady();
      return true;
    });
    await expect(jobs.mergeOutputs(merge)).rejects.toMatchObject({ reason: 'OUTPUTS_INCOMPLETE' });
    await runner.putTaskOutput(streamOf([header, page, ...chunks]));
    expect(await jobs.mergeOutputs(merge)).toEqual({});
  });
});
