import type { Clock, Logger } from '@tally/service-kit';
import type { LeaseKeeper, LeaseTerms, SendHeartbeat } from './ports.js';
import { isRefusal } from './retry.js';
import type { StopCause } from './task.js';

/** A heartbeat may take this long, whatever its interval. */
const TIMEOUT_MS_MIN = 1_000;

interface KeptLease extends LeaseTerms {
  readonly heartbeat: SendHeartbeat;
  readonly startedAtMs: number;
  renewedAtMs: number;
  readonly revoked: AbortController;
  readonly lost: AbortController;
}

/** Work younger than this part of its interval is left out of a round: short work needs no heartbeat. */
const YOUNG = 1 / 4;

/** One rhythm for all leases, that of the shortest interval; none while there is no lease. */
export function createLeaseKeeper({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): LeaseKeeper {
  const leases = new Set<KeptLease>();
  const nowMs = () => clock.now().getTime();
  let isRunning = false;
  let roundAtMs = 0;
  let hasten = new AbortController();

  const renew = async (lease: KeptLease) => {
    const sentAtMs = nowMs();
    const timeoutMs = Math.max(TIMEOUT_MS_MIN, Math.min(2 * lease.heartbeatMs, lease.leaseMs / 3));
    try {
      if (await lease.heartbeat(timeoutMs)) return giveUp(lease);
      lease.renewedAtMs = sentAtMs;
    } catch (err) {
      if (isRefusal(err)) return giveUp(lease);
      logger.warn({ err }, 'heartbeat failed');
    }
    const isOver = nowMs() - lease.renewedAtMs >= lease.leaseMs;
    if (isOver && leases.has(lease)) lease.lost.abort('lease-lost' satisfies StopCause);
  };
  const giveUp = (lease: KeptLease) => {
    if (!leases.delete(lease)) return;
    lease.revoked.abort('revoked' satisfies StopCause);
    lease.lost.abort('revoked' satisfies StopCause);
  };
  const waitForRound = async (beforeMs: number) => {
    const intervalMs = Math.min(...[...leases].map(({ heartbeatMs }) => heartbeatMs));
    roundAtMs = Math.max(nowMs(), beforeMs + intervalMs);
    while (nowMs() < roundAtMs) {
      hasten = new AbortController();
      await clock.sleep(roundAtMs - nowMs(), hasten.signal);
    }
  };
  const run = async () => {
    isRunning = true;
    for (let startedAtMs = nowMs(); leases.size > 0; ) {
      await waitForRound(startedAtMs);
      startedAtMs = nowMs();
      const due = [...leases].filter((lease) => startedAtMs - lease.startedAtMs >= YOUNG * lease.heartbeatMs);
      await Promise.all(due.map(renew));
    }
    isRunning = false;
  };
  return {
    keep({ leaseMs, heartbeatMs }, heartbeat) {
      const startedAtMs = nowMs();
      const [lost, revoked] = [new AbortController(), new AbortController()];
      const lease = { leaseMs, heartbeatMs, heartbeat, startedAtMs, renewedAtMs: startedAtMs, lost, revoked };
      leases.add(lease);
      if (!isRunning) void run();
      else if (roundAtMs > startedAtMs + heartbeatMs) {
        roundAtMs = startedAtMs + heartbeatMs;
        hasten.abort('a shorter interval');
      }
      return { lost: lost.signal, revoked: revoked.signal, end: () => void leases.delete(lease) };
    },
  };
}
