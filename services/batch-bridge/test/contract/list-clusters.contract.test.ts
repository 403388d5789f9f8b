import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { batchBridge } from '@tally/contracts';
import { createGrpcClient } from '@tally/service-kit';
import {
  type Cluster,
  createTestDatabase,
  startCluster,
  type TestDatabase,
  testCallerToken,
  waitFor,
} from '@tally/testkit';
import type { BridgeOptions } from '../../src/service.js';
import { settingsOf } from '../cluster-fixture.js';
import { BATCH_BRIDGE_MIGRATIONS, startTestBatchBridge } from '../start.js';

let cluster: Cluster;
let database: TestDatabase;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
  cluster = await startCluster({ nodes: 1, hasAccounting: false });
});
afterAll(async () => {
  for (const part of running) await part.stop();
  await cluster?.stop();
  await database?.drop();
});

/** Starts a copy of the service; the client calls in the name of `caller`. */
async function start(overrides: Partial<BridgeOptions>, caller = 'gateway') {
  const service = await startTestBatchBridge({ databaseUrl: database.url, checkIntervalMs: 1_000, ...overrides });
  running.push(service);
  const client = createGrpcClient(batchBridge.BatchBridgeServiceService, {
    target: `127.0.0.1:${service.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 2_000,
  });
  running.push({ stop: async () => client.close() });
  const list = async () => (await client.listClusters({})).clusters;
  return {
    list,
    available: async () => (await list()).map(({ isAvailable }) => isAvailable),
    stop: () => service.stop(),
  };
}

const foreignKey = () => readFileSync(`${cluster.facts.dir}/ssh/other_ca.pub`, 'utf8').split(' ').slice(0, 2).join(' ');

describe('ListClusters OK', () => {
  it('lists the configured clusters in their order, and says which of them answer with their own key', async () => {
    const clusters = [
      settingsOf(cluster, { name: 'closed', port: 1 }),
      settingsOf(cluster, { name: 'open', displayName: 'Open "cluster"' }),
      settingsOf(cluster, { name: 'changed', hostKeys: [foreignKey()] }),
    ];
    const service = await start({ clusters });
    await waitFor(async () => (await service.available()).includes(true), { what: 'the first check' });
    expect(await service.list()).toMatchObject([
      { clusterName: 'closed', displayName: 'Test cluster', isAvailable: false, isDefault: true },
      { clusterName: 'open', displayName: 'Open "cluster"', isAvailable: true, isDefault: false },
      { clusterName: 'changed', displayName: 'Test cluster', isAvailable: false, isDefault: false },
    ]);
    await service.stop();
  });

  it('says what submissions may ask of each, and what they get unless they do', async () => {
    const service = await start({
      clusters: [settingsOf(cluster), settingsOf(cluster, { name: 'usual' })],
      defaultCluster: 'usual',
    });
    const [first, usual] = await service.list();
    expect([first?.isDefault, usual?.isDefault]).toEqual([false, true]);
    expect(first?.schedulerOptions).toEqual([
      'partition',
      'time',
      'mem',
      'account',
      'qos',
      'constraint',
      'reservation',
    ]);
    const seconds = (count: bigint) => ({ seconds: count, nanos: 0 });
    const memory = { memoryMibMax: 4_096n, memoryMibDefault: 2_048n };
    expect(first?.partitions).toEqual([
      { name: 'batch', wallTimeMax: seconds(86_400n), wallTimeDefault: seconds(3_600n), ...memory },
      { name: 'short', wallTimeMax: seconds(300n), wallTimeDefault: seconds(300n), ...memory },
    ]);
    await service.stop();
  });

  it('notices that a cluster becomes unavailable and available again', async () => {
    const service = await start({ clusters: [settingsOf(cluster)] });
    await waitFor(async () => (await service.available())[0], { what: 'the first check' });
    await cluster.fault('crash', 'sshd');
    await waitFor(async () => !(await service.available())[0], { what: 'the check that fails' });
    await cluster.fault('start', 'sshd');
    await waitFor(async () => (await service.available())[0], { what: 'the check that succeeds' });
    await service.stop();
  });

  it('shares the checks between copies: a cluster is checked once in an interval', async () => {
    const copies = await Promise.all(
      Array.from({ length: 3 }, () => start({ clusters: [settingsOf(cluster)], checkIntervalMs: 600_000 })),
    );
    const connections = () => readFileSync(cluster.facts.ssh.log, 'utf8').match(/^Connection from /gm)?.length ?? 0;
    const before = connections();
    const fresh = await start({ clusters: [settingsOf(cluster, { name: 'fresh' })], checkIntervalMs: 600_000 });
    const more = await start({ clusters: [settingsOf(cluster, { name: 'fresh' })], checkIntervalMs: 600_000 });
    await waitFor(async () => (await more.available())[0], { what: 'the check' });
    expect(connections()).toBe(before + 1);
    for (const copy of [...copies, fresh, more]) await copy.stop();
  });

  it('does not list a cluster that is gone from the configuration, and is empty without any', async () => {
    const service = await start({ clusters: [] });
    expect(await service.list()).toEqual([]);
    await service.stop();
  });
});

describe('ListClusters PERMISSION_DENIED', () => {
  it('refuses callers that the contract does not name', async () => {
    const service = await start({}, 'jobs');
    await expect(service.list()).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    await service.stop();
  });
});
