import type { batchBridge } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { clustersResponse } from '../../schemas/cluster.js';

/** GET /clusters: where batch jobs can go. */
export const listClusters = defineRoute({
  method: 'GET',
  path: '/clusters',
  auth: 'sso',
  summary: 'Clusters for batch jobs',
  responses: {
    200: { description: 'The clusters, in configured order', schema: clustersResponse },
    501: { description: 'This deployment has no batch platform' },
  },
  handle: async ({ call }, { batchBridge }) => {
    const clusters = batchBridge === undefined ? [] : (await batchBridge.listClusters({}, call)).clusters;
    return answer({
      message: 'List of clusters',
      clusters: clusters.map(({ clusterName, displayName, isAvailable, isDefault, schedulerOptions, partitions }) => ({
        cluster_name: clusterName,
        display_name: displayName,
        available: isAvailable,
        default: isDefault,
        scheduler_options: schedulerOptions,
        partitions: partitions.map(toPartition),
      })),
    });
  },
});

function toPartition({ name, wallTimeMax, wallTimeDefault, ...memory }: batchBridge.Partition) {
  return {
    name,
    wall_time_seconds_max: Number(wallTimeMax?.seconds ?? 0n),
    memory_mib_max: Number(memory.memoryMibMax),
    wall_time_seconds_default: Number(wallTimeDefault?.seconds ?? 0n),
    memory_mib_default: Number(memory.memoryMibDefault),
  };
}
