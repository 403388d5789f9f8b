import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createGrpcClient, implement, Readiness, silentLogger, startGrpcServer } from '@tally/service-kit';
import { startTcpProxy, testCallers, testCallerToken, waitFor } from '../../src/index.js';

/** A call that may last, and is repeated by itself. */
const definition = { merge: results.ResultsServiceService.mergeOutputs } as const;
const REQUEST: results.MergeOutputsRequest = {
  jobId: 'job',
  taskIds: [1],
  isPartial: false,
  isStopped: false,
  mergeNumber: 1,
};
const HOUR_MS = 3_600_000;
/** Who waits on a peer of which nothing is heard any more goes on within this time. */
const SILENT_MS_MAX = 15_000;
/** For which a busy machine may stop. */
const STALL_MS = 5_000;

describe('a peer of which nothing is heard any more while a call is under way', () => {
  it(`is given up within ${SILENT_MS_MAX / 1_000} s, and the call is made again by another connection`, async () => {
    const asked: (() => void)[] = [];
    const handle = () => new Promise<results.MergeOutputsResponse>((resolve) => asked.push(() => resolve({})));
    const server = await startGrpcServer({
      address: '127.0.0.1:0',
      callers: testCallers('jobs'),
      readiness: new Readiness({}),
      logger: silentLogger,
      graceMs: 100,
      implementations: [implement(definition, { merge: { callers: ['jobs'], handle } })],
    });
    const way = await startTcpProxy(`127.0.0.1:${server.port}`, Math.random);
    const token = testCallerToken('jobs');
    const client = createGrpcClient(definition, { target: way.address, caller: 'jobs', token, timeoutMs: HOUR_MS });
    try {
      const answer = client.merge(REQUEST);
      await waitFor(() => asked.length === 1, { what: 'the call' });
      way.set({ kind: 'half-open' });
      way.set({ kind: 'up' });
      await waitFor(() => asked.length === 2, {
        what: 'the call again',
        timeoutMs: SILENT_MS_MAX + STALL_MS,
        intervalMs: 50,
      });
      for (const end of asked) end();
      expect(await answer).toEqual({});
    } finally {
      client.close();
      await way.close();
      await server.stop();
    }
  }, 60_000);
});
