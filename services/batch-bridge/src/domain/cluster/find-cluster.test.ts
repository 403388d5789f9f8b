import { expect, it } from '@jest/globals';
import { clusterSettings } from './cluster-settings.js';
import { findCluster } from './find-cluster.js';

const clusters = ['north', 'south'].map((name) =>
  clusterSettings.parse({
    name,
    displayName: name,
    host: `${name}.example`,
    hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
    scratchFolder: '/scratch/{user}',
    partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 1_000 }],
  }),
);

it('finds the named cluster, and the default where none is named', () => {
  expect(findCluster(clusters, 'north', 'south').name).toBe('north');
  expect(findCluster(clusters, undefined, 'south').name).toBe('south');
});

it('says that there is no batch platform where there are no clusters', () => {
  for (const name of [undefined, 'north']) {
    expect(() => findCluster([], name, '')).toThrow(expect.objectContaining({ reason: 'BATCH_UNIMPLEMENTED' }));
  }
});

it.each(['east', 'North', '', 'north ', '__proto__'])('never takes another cluster for %j', (name) => {
  expect(() => findCluster(clusters, name, 'south')).toThrow(
    expect.objectContaining({
      reason: 'CLUSTER_UNKNOWN',
      fields: [{ field: '/batch_options/cluster_name', message: 'must be one of north, south' }],
    }),
  );
});
