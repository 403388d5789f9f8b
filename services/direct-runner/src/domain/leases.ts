import type { Clock, Logger } from '@tally/service-kit';
import type { LeaseKeeper, LeaseTerms, SendHeartbeat } from './ports.js';
import { isRefusal } from './retry.js';
import type { StopCause } from './task.js';

/** A round waits this long for its answers, whatever its interval. */
const PATIENCE_MS_MIN = 1_000;

interface KeptLease extends LeaseTerms {
  readonly heartbeat: SendHeartbeat;
  readonly startedAtMs: number;
  renewedAtMs: number;
  readonly revoked: AbortController;
  readonly lost: AbortController;
  readonly finish: AbortController;
}

/** Work younger than this part of its interval is left out of a round: short work needs no heartbeat. */
const YOUNG = 1 / 4;

/** One rhythm for all leases, that of the shortest interval; none while there is no lease. */
export function createLeaseKeeper({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): LeaseKeeper {
  const leases = new Set<KeptLease>();
  const nowMs = () => clock.monotonicMs();
  let isRunning = false;
  let roundAtMs = 0;
  let hasten = new AbortController();

  const renew = async (lease: KeptLease) => {
    const patienceMs = Math.max(PATIENCE_MS_MIN, Math.min(2 * lease.heartbeatMs, lease.leaseMs / 3));
    const answered = new AbortController();
    void beat(lease).finally(() => answered.abort('answered'));
    await clock.sleep(patienceMs, answered.signal);
    const isOver = nowMs() - lease.renewedAtMs >= lease.leaseMs;
    if (isOver && leases.has(lease)) lease.lost.abort('lease-lost' satisfies StopCause);
  };
  /** Its answer counts whenever it comes: jobs has renewed the lease, though it or the way to it is slow. */
  const beat = async (lease: KeptLease) => {
    const sentAtMs = nowMs();
    try {
      const answer = await lease.heartbeat(lease.leaseMs);
      if (answer === 'stop') return giveUp(lease);
      if (answer === 'finish') lease.finish.abort('finished' satisfies StopCause);
      lease.renewedAtMs = Math.max(lease.renewedAtMs, sentAtMs);
    } catch (err) {
      if (isRefusal(err)) return giveUp(lease);
      logger.warn({ err }, 'heartbeat failed');
    }
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
      const [lost, revoked, finish] = [new AbortController(), new AbortController(), new AbortController()];
      const lease = { leaseMs, heartbeatMs, heartbeat, startedAtMs, renewedAtMs: startedAtMs, lost, revoked, finish };
      leases.add(lease);
      if (!isRunning) void run();
      else if (roundAtMs > startedAtMs + heartbeatMs) {
        roundAtMs = startedAtMs + heartbeatMs;
        hasten.abort('a shorter interval');
      }
      return {
        lost: lost.signal,
        revoked: revoked.signal,
        finish: finish.signal,
        end: () => void leases.delete(lease),
      };
    },
  };
}
