import { type Clock, type Logger, startLoop } from '@tally/service-kit';
import pLimit from 'p-limit';
import type { ClusterSettings } from '../domain/cluster/cluster.js';
import { takeLease } from '../domain/cluster/lease.js';
import type { ChangeListener, LeaseStore, SubmissionStore } from '../domain/ports.js';

/** What {@link startClusterWorker} needs. */
export interface ClusterWorkerOptions {
  readonly cluster: ClusterSettings;
  readonly store: Pick<SubmissionStore, 'listDueUsers' | 'listUsersToObserve'>;
  readonly leases: LeaseStore;
  readonly changes: ChangeListener;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of this copy of the service in leases. */
  readonly holder: string;
  readonly leaseMs: number;
  readonly roundMs: number;
  readonly pollIntervalMs: number;
  readonly usersAtOnceMax: number;
  /** Does what is due for one user. */
  readonly process: (userId: bigint) => Promise<void>;
  /** Polls the submitted jobs of one user. */
  readonly observe: (userId: bigint) => Promise<void>;
}

/** A worker that is running. */
export interface ClusterWorker {
  /** Begins nothing new and waits for what is running. */
  stop(): Promise<void>;
}

/**
 * Works for one cluster while this copy of the service holds its lease. A round only begins work and never waits for it,
 * so that the lease is renewed in time and one user's upload keeps nobody waiting. For each user two things run at once at
 * most: what is due, and a poll.
 */
export function startClusterWorker(options: ClusterWorkerOptions): ClusterWorker {
  const { cluster, store, leases, changes, clock, logger, holder, leaseMs, roundMs, pollIntervalMs } = options;
  // one for each kind of work: fetching outputs for hours keeps no submission waiting
  const limits = { process: pLimit(options.usersAtOnceMax), observe: pLimit(options.usersAtOnceMax) };
  const running = new Map<string, Promise<void>>();
  let heldUntilMs = 0;
  let isStopping = false;

  /** Whether the lease is held; renewed when a third of it is over. */
  const holdLease = async (): Promise<boolean> => {
    const now = clock.now();
    if (heldUntilMs - now.getTime() > (leaseMs * 2) / 3) return true;
    const expiresAt = new Date(now.getTime() + leaseMs);
    const isHeld = await leases.change(cluster.name, (lease) => takeLease(lease, { holder, expiresAt }, now));
    heldUntilMs = isHeld ? expiresAt.getTime() : 0;
    return isHeld;
  };

  const begin = (kind: keyof typeof limits, userId: bigint): void => {
    const key = `${kind} ${userId}`;
    if (running.has(key)) return;
    const done = limits[kind](async () => {
      if (isStopping) return;
      try {
        await options[kind](userId);
        loop.wake(); // what has come meanwhile had to wait for this
      } catch (err) {
        logger.error({ cluster: cluster.name, work: key, err }, 'work for a cluster failed');
      }
    });
    running.set(
      key,
      done.finally(() => running.delete(key)),
    );
  };

  const round = async (): Promise<void> => {
    if (!(await holdLease())) return;
    const now = clock.now();
    for (const userId of await store.listDueUsers(cluster.name, now)) begin('process', userId);
    const observedBefore = new Date(now.getTime() - pollIntervalMs);
    for (const userId of await store.listUsersToObserve(cluster.name, observedBefore)) begin('observe', userId);
  };

  const loop = startLoop(round, { name: `worker of ${cluster.name}`, intervalMs: roundMs, clock, logger });
  const unsubscribe = changes.onWorkDue(cluster.name, () => loop.wake());
  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      await loop.stop();
      await Promise.all(running.values());
    },
  };
}
