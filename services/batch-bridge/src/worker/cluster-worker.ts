import { type Clock, type Logger, startLoop } from '@tally/service-kit';
import type { ClusterSettings } from '../domain/cluster.js';
import type { ClusterLeases, Signals, SubmissionStore } from '../domain/ports.js';
import { ChannelLimit } from '../ssh/channel-limit.js';

/** What {@link startClusterWorker} needs. */
export interface ClusterWorkerOptions {
  readonly cluster: ClusterSettings;
  readonly store: Pick<SubmissionStore, 'listDueUsers' | 'listUsersToObserve'>;
  readonly leases: ClusterLeases;
  readonly signals: Signals;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of this copy of the service in leases. */
  readonly holder: string;
  readonly leaseMs: number;
  readonly roundMs: number;
  readonly pollIntervalMs: number;
  readonly usersAtOnceMax: number;
  /** Does what is due for one user. */
  readonly work: (userId: bigint) => Promise<void>;
  /** Looks after the submitted jobs of one user. */
  readonly observe: (userId: bigint) => Promise<void>;
}

/** A worker that is running. */
export interface ClusterWorker {
  /** Begins nothing new and waits for what is running. */
  stop(): Promise<void>;
}

/**
 * Works for one cluster while this copy of the service holds its lease. A round only begins work and never waits for it,
 * so that the lease is renewed in time and one user's upload keeps nobody waiting. Of each user two things run at once at
 * most: what is due, and the watching.
 */
export function startClusterWorker(options: ClusterWorkerOptions): ClusterWorker {
  const { cluster, store, leases, signals, clock, logger, holder, leaseMs, roundMs, pollIntervalMs } = options;
  // one for each lane: fetching outputs for hours keeps no submission waiting
  const lanes = { due: new ChannelLimit(options.usersAtOnceMax), observe: new ChannelLimit(options.usersAtOnceMax) };
  const running = new Map<string, Promise<void>>();
  let heldUntilMs = 0;
  let isStopping = false;

  /** Whether the lease is held; renewed when a third of it is over. */
  const hold = async (): Promise<boolean> => {
    const now = clock.now();
    if (heldUntilMs - now.getTime() > (leaseMs * 2) / 3) return true;
    const until = new Date(now.getTime() + leaseMs);
    const isHeld = await leases.hold(cluster.name, holder, now, until);
    heldUntilMs = isHeld ? until.getTime() : 0;
    return isHeld;
  };

  const begin = (lane: keyof typeof lanes, userId: bigint, work: (userId: bigint) => Promise<void>): void => {
    const key = `${lane} ${userId}`;
    if (running.has(key)) return;
    const done = lanes[lane].run(async () => {
      if (isStopping) return;
      try {
        await work(userId);
        loop.wake(); // what came meanwhile waited for this
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
    if (!(await hold())) return;
    const now = clock.now();
    for (const userId of await store.listDueUsers(cluster.name, now)) begin('due', userId, options.work);
    const observedBefore = new Date(now.getTime() - pollIntervalMs);
    for (const userId of await store.listUsersToObserve(cluster.name, observedBefore)) {
      begin('observe', userId, options.observe);
    }
  };

  const loop = startLoop(round, { name: `worker of ${cluster.name}`, intervalMs: roundMs, clock, logger });
  const unlisten = signals.onWork(cluster.name, () => loop.wake());
  return {
    async stop() {
      isStopping = true;
      unlisten();
      await loop.stop();
      await Promise.all(running.values());
    },
  };
}
