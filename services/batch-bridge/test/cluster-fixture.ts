import { readFileSync } from 'node:fs';
import type { CertificateFiles, Cluster } from '@tally/testkit';
import type { ClusterSettings } from '../src/domain/cluster/cluster.js';
import type { Credential } from '../src/domain/ports.js';
import type { PoolOptions } from '../src/ssh/pool.js';

/** Settings that fit a test cluster. */
export function settingsOf({ facts }: Cluster, overrides: Partial<ClusterSettings> = {}): ClusterSettings {
  return {
    name: 'test',
    displayName: 'Test cluster',
    host: facts.ssh.host,
    port: facts.ssh.port,
    hostKeys: [...facts.ssh.hostKeys],
    scheduler: 'slurm',
    scratchFolder: `${facts.dir}/home/{user}`,
    partitions: [
      { name: 'batch', wallTimeSecondsMax: 86_400, memoryMibMax: 4_096 },
      { name: 'short', wallTimeSecondsMax: 300, memoryMibMax: 4_096 },
    ],
    arrayTasksMax: 5_000,
    nodeProgram: null,
    isReachingGateway: true,
    gatewayCaFile: null,
    confinement: 'none',
    readOnlyPaths: [],
    wrapper: [],
    simulators: {},
    ...overrides,
  };
}

export function credentialOf(files: CertificateFiles): Credential {
  return {
    certificate: readFileSync(files.certificate, 'utf8'),
    privateKey: readFileSync(files.privateKey, 'utf8'),
  };
}

/** Limits as in production, but for pauses that a test can wait for. */
export const LIMITS = {
  connectTimeoutMs: 15_000,
  keepaliveMs: 15_000,
  channelsMax: 4,
  commandTimeoutMs: 30_000,
  outputBytesMax: 4_000_000,
  uploadTimeoutMs: 60_000,
  idleMs: 60_000,
  failureCountMax: 3,
  pauseFirstMs: 200,
  pauseMaxMs: 2_000,
} as const satisfies Omit<PoolOptions, 'clock'>;
