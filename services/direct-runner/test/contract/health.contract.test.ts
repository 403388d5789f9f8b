import { describe, expect, it } from '@jest/globals';
import { createGrpcClient } from '@tally/service-kit';
import { testCallerToken, waitFor } from '@tally/testkit';
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

  it('is not ready, says why and stays, while the broker refuses it', async () => {
    const url = new URL(environment.queueUrl);
    url.password = 'wrong';
    const runner = await environment.startRunner({ queueUrl: url.href });
    const target = `127.0.0.1:${runner.port}`;
    const client = createGrpcClient({}, { target, caller: 'probe', token: testCallerToken('probe'), timeoutMs: 1_000 });
    const reason = () =>
      client.checkReady().then(
        () => '',
        (err: Error) => err.message,
      );
    try {
      await waitFor(async () => (await reason()).includes('queue: the broker refuses: ACCESS_REFUSED'), {
        what: 'the reason',
      });
    } finally {
      client.close();
    }
  });
});
