import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tally/service-kit';
import { type FakeClock, fakeClock } from '@tally/testkit';
import { MemoryStores } from '../../test/memory-stores.js';
import type { ClusterSettings } from '../domain/cluster/cluster.js';
import { takeLease } from '../domain/cluster/lease.js';
import { type ClusterWorker, type ClusterWorkerOptions, startClusterWorker } from './cluster-worker.js';

const { leases } = new MemoryStores();
/** Takes or renews the lease, if it is free at this time. */
const take = (holder: string, now: Date, leaseMs: number) =>
  leases.change('north', (lease) => takeLease(lease, { holder, expiresAt: new Date(now.getTime() + leaseMs) }, now));
const settle = () => new Promise((resolve) => setImmediate(resolve));
let workers: ClusterWorker[] = [];
let release: (() => void)[] = [];

/** A worker whose work is noted, and lasts until it is released where the test says so. */
function start(
  clock: FakeClock,
  overrides: Partial<ClusterWorkerOptions> & { readonly due?: bigint[]; readonly toObserve?: bigint[] } = {},
) {
  const begun: string[] = [];
  const { due = [], toObserve = [], ...rest } = overrides;
  const callbacks: (() => void)[] = [];
  const worker = startClusterWorker({
    cluster: { name: 'north' } as ClusterSettings,
    store: { listDueUsers: async () => due, listUsersToObserve: async () => toObserve },
    leases,
    changes: {
      onWorkDue: (_, callback) => {
        callbacks.push(callback);
        return () => {};
      },
      onOutcome: () => () => {},
    },
    clock,
    logger: silentLogger,
    holder: 'a',
    leaseMs: 30_000,
    roundMs: 1_000,
    pollIntervalMs: 60_000,
    usersAtOnceMax: 2,
    process: async (userId) => {
      begun.push(`process ${userId}`);
      await new Promise<void>((resolve) => release.push(resolve));
    },
    observe: async (userId) => {
      begun.push(`observe ${userId}`);
      await new Promise<void>((resolve) => release.push(resolve));
    },
    ...rest,
  });
  workers.push(worker);
  return { begun, worker, announce: () => callbacks.forEach((callback) => callback()) };
}

afterEach(async () => {
  const stopping = workers.map((worker) => worker.stop());
  for (let i = 0; i < 5; i++) {
    for (const end of release.splice(0)) end();
    await settle();
  }
  await Promise.all(stopping);
  workers = [];
  release = [];
  await leases.release('a');
  await leases.release('b');
});

describe('the worker of a cluster', () => {
  it('does the same for one user once at a time, and no more at once than it may', async () => {
    const clock = fakeClock();
    const { begun } = start(clock, { due: [1n, 2n, 3n] });
    for (let i = 0; i < 3; i++) await clock.advance(1_000);
    expect(begun).toEqual(['process 1', 'process 2']);
    release.shift()?.();
    await clock.advance(1_000);
    expect(begun).toEqual(['process 1', 'process 2', 'process 3']);
  });

  it('polls for a user while something else of his is done', async () => {
    const clock = fakeClock();
    const { begun } = start(clock, { due: [1n], toObserve: [1n] });
    await clock.advance(1_000);
    expect(begun.sort()).toEqual(['observe 1', 'process 1']);
  });

  it('does not wait for its round when work is announced', async () => {
    const clock = fakeClock();
    const due: bigint[] = [];
    const { begun, announce } = start(clock, { due });
    await clock.advance(10);
    due.push(1n);
    announce();
    await settle();
    await settle();
    expect(begun).toEqual(['process 1']);
  });

  it('does nothing while another copy holds the cluster, and takes over when that has stopped answering', async () => {
    const clock = fakeClock();
    await take('b', clock.now(), 30_000);
    const { begun } = start(clock, { due: [1n] });
    await clock.advance(29_000);
    expect(begun).toEqual([]);
    await clock.advance(2_000);
    expect(begun).toEqual(['process 1']);
  });

  it('keeps its lease while work lasts', async () => {
    const clock = fakeClock();
    start(clock, { due: [1n] });
    await clock.advance(300_000);
    expect(await take('b', clock.now(), 0)).toBe(false);
  });

  it('begins nothing new when it stops, and waits for what is running', async () => {
    const clock = fakeClock();
    const { begun, worker } = start(clock, { due: [1n, 2n, 3n] });
    await clock.advance(1_000);
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    for (const end of release.splice(0)) end();
    await stopped;
    expect(begun).toEqual(['process 1', 'process 2']);
  });
});
