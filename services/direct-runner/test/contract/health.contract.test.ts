import { describe, expect, it } from '@jest/globals';
import { createGrpcClient } from '@tally/service-kit';
import { testCallerToken } from '@tally/testkit';
import { useWorld } from '../stand-in/world.js';

const world = useWorld();

describe('health', () => {
  it('is ready while jobs, results and the queue answer and the disk has room, and not after', async () => {
    const runner = await world.startRunner();
    const target = `127.0.0.1:${runner.port}`;
    const client = createGrpcClient({}, { target, caller: 'probe', token: testCallerToken('probe'), timeoutMs: 1_000 });
    try {
      await expect(client.checkReady()).resolves.toBeUndefined();
      await world.results.stop();
      await expect(client.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
      await runner.stop();
      await expect(client.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    } finally {
      client.close();
    }
  });
});
