import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@tally/service-kit';
import { batchBridgeConfigSchema, CONFIG_PREFIX } from './config.js';

const cluster = {
  name: 'north',
  displayName: 'North',
  host: 'login.north.example',
  hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  scratchFolder: '/scratch/{user}/tally',
  partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 1_000 }],
};
const load = (clusters: unknown) =>
  loadConfig(CONFIG_PREFIX, batchBridgeConfigSchema, {
    BATCH_DATABASE_URL: 'postgresql://x',
    BATCH_CALLER_TOKEN: 't'.repeat(32),
    BATCH_JOBS_ADDRESS: 'jobs:1',
    BATCH_RESULTS_ADDRESS: 'results:1',
    BATCH_AUTH_ADDRESS: 'auth:1',
    BATCH_CLUSTERS: typeof clusters === 'string' ? clusters : JSON.stringify(clusters),
  });

describe('BATCH_CLUSTERS', () => {
  it('takes clusters with the usual values for what is not said', () => {
    const usual = {
      port: 22,
      scheduler: 'slurm',
      arrayTasksMax: 1000,
      nodeProgram: null,
      isReachingGateway: false,
      gatewayCaFile: null,
      confinement: 'auto',
      readOnlyPaths: [],
      wrapper: [],
      simulators: {},
    };
    expect(load([cluster]).clusters).toEqual([{ ...cluster, ...usual }]);
    expect(load('[]').clusters).toEqual([]);
  });

  it.each([
    ['no host key', { hostKeys: [] }],
    ['a confinement that there is not', { confinement: 'docker' }],
    ['a relative path to be read', { readOnlyPaths: ['opt/data'] }],
    ['a wrapper that is looked up', { wrapper: ['apptainer', 'exec'] }],
    ['a fingerprint instead of a key', { hostKeys: ['SHA256:abc'] }],
    ['a relative scratch folder', { scratchFolder: 'scratch' }],
    ['a scratch folder that climbs', { scratchFolder: '/scratch/../etc' }],
    ['a name for a shell', { name: '$(id)' }],
    ['a host that is an option', { host: '-oProxyCommand=id' }],
    ['an unknown member', { hostkeys: [] }],
    ['no partition', { partitions: [] }],
    ['a simulator that there is not', { simulators: { simE: { executable: '/opt/e' } } }],
    ['an executable to be searched', { simulators: { simA: { executable: 'a' } } }],
  ])('refuses %s', (_, wrong) => {
    expect(() => load([{ ...cluster, ...wrong }])).toThrow(ConfigError);
  });

  it('takes simulators with what starts them', () => {
    const simulators = {
      simA: { executable: '/opt/a', args: ['-q'], env: { A_HOME: '/opt' }, version: '1.0' },
      simB: { executable: '/opt/b' },
    };
    expect(load([{ ...cluster, simulators }]).clusters[0]?.simulators).toEqual({
      simA: simulators.simA,
      simB: { executable: '/opt/b', args: [], env: {}, version: '' },
    });
  });

  it('refuses what is not JSON, and a name that comes twice', () => {
    expect(() => load('{')).toThrow('is not JSON');
    expect(() => load([cluster, cluster])).toThrow('names a cluster twice');
  });
});
