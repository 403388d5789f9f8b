import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { batchBridge } from '@tally/contracts';
import { createGrpcClient } from '@tally/service-kit';
import { testCallers, testCallerToken } from '@tally/testkit';
import { startTestBatchBridge } from '../../testing/start.js';

let service: Awaited<ReturnType<typeof startTestBatchBridge>>;
const client = (caller: string) =>
  createGrpcClient(batchBridge.BatchBridgeServiceService, {
    target: `127.0.0.1:${service.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 2_000,
  });

beforeAll(async () => {
  service = await startTestBatchBridge({ callers: testCallers('gateway', 'jobs') });
});
afterAll(() => service.stop());

describe('ListClusters UNIMPLEMENTED', () => {
  it('says that the batch platform is not there yet', async () => {
    const gateway = client('gateway');
    await expect(gateway.listClusters({})).rejects.toMatchObject({
      status: 'UNIMPLEMENTED',
      reason: 'BATCH_UNIMPLEMENTED',
    });
    gateway.close();
  });
});

describe('ListClusters PERMISSION_DENIED', () => {
  it('refuses callers that the contract does not name', async () => {
    const jobs = client('jobs');
    await expect(jobs.listClusters({})).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    jobs.close();
  });
});
