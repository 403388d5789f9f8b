import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

describe('GET /clusters', () => {
  it('200: the clusters, and what submissions may ask of each', async () => {
    const partition = {
      name: 'batch',
      wallTimeMax: { seconds: 86_400n, nanos: 0 },
      memoryMibMax: 4_096n,
      wallTimeDefault: { seconds: 3_600n, nanos: 0 },
      memoryMibDefault: 2_048n,
    };
    const known = { clusterName: 'c1', displayName: 'Cluster 1', isAvailable: true, isDefault: true };
    const clusters = [{ ...known, schedulerOptions: ['partition', 'time'], partitions: [partition] }];
    gateway.batchBridge.answers.listClusters = async () => ({ clusters });
    expect((await gateway.send('GET', '/clusters', { cookie: gateway.ssoCookie })).body.clusters).toEqual([
      {
        cluster_name: 'c1',
        display_name: 'Cluster 1',
        available: true,
        default: true,
        scheduler_options: ['partition', 'time'],
        partitions: [
          {
            name: 'batch',
            wall_time_seconds_max: 86_400,
            memory_mib_max: 4_096,
            wall_time_seconds_default: 3_600,
            memory_mib_default: 2_048,
          },
        ],
      },
    ]);
  });
});
