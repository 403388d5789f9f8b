import { describe, expect, it } from '@jest/globals';
import { createGrpcClient } from '@tally/service-kit';
import { testCallerToken } from '@tally/testkit';
import { useTestEnvironment } from '../stand-in/environment.js';

const environment = useTestEnvironment();

describe('health', () => {
  it('is ready while jobs, results and the queue answer and the disk has room, and not after', async () => {
    const runner = await environment.startRunner();
    const target = `127.0.0.1:${runner.port}`;
    const client = createGrpcClient({}, { target, caller: 'probe', token: testCallerToken('probe'), timeoutMs: 1_000 });
    try {
      await expect(client.checkReady()).resolves.toBeUndefined();
      await environment.results.stop();
      await expect(client.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
      await runner.stop();
      await expect(client.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    } finally {
      client.close();
    }
  });
});
