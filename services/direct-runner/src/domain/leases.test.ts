import { describe, expect, it } from '@jest/globals';
import { kitError, silentLogger } from '@tally/service-kit';
import { fakeClock } from '@tally/testkit';
import { fail } from './errors.js';
import { createLeaseKeeper } from './leases.js';
import type { HeartbeatAnswer } from './ports.js';

const TERMS = { leaseMs: 10_000, heartbeatMs: 2_000 };

function start(beat: () => Promise<HeartbeatAnswer>) {
  const clock = fakeClock();
  const keeper = createLeaseKeeper({ clock, logger: silentLogger });
  let beats = 0;
  const lease = keeper.keep(TERMS, () => {
    beats += 1;
    return beat();
  });
  return { clock, keeper, lease, beats: () => beats };
}

describe('a lease', () => {
  it('is renewed at the interval of the order, until its end', async () => {
    const { clock, lease, beats } = start(async () => 'go-on');
    await clock.advance(20_000);
    expect(beats()).toBe(10);
    lease.end();
    await clock.advance(20_000);
    expect(beats()).toBe(10);
    expect(lease.lost.aborted).toBe(false);
  });

  it('is lost at once when jobs says stop', async () => {
    const { clock, lease, beats } = start(async () => 'stop');
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('revoked');
    expect(lease.revoked.aborted).toBe(true);
    await clock.advance(20_000);
    expect(beats()).toBe(1);
  });

  it('is lost at once when jobs does not know the attempt', async () => {
    const { clock, lease } = start(async () => {
      throw fail('DECK_INVALID'); // any refusal
    });
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('revoked');
  });

  it('is lost when no heartbeat got through for its length, but not revoked', async () => {
    const { clock, lease, beats } = start(async () => {
      throw kitError('SERVICE_UNAVAILABLE');
    });
    await clock.advance(8_000);
    expect(lease.lost.aborted).toBe(false);
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('lease-lost');
    expect(lease.revoked.aborted).toBe(false);
    await clock.advance(2_000);
    expect(beats()).toBe(6); // only jobs can say that the finished work is revoked
    lease.end();
  });

  it('is kept by answers that come late', async () => {
    const clock = fakeClock();
    const keeper = createLeaseKeeper({ clock, logger: silentLogger });
    const lease = keeper.keep(TERMS, async (timeoutMs) => {
      await clock.sleep(Math.min(5_000, timeoutMs));
      if (timeoutMs < 5_000) throw kitError('SERVICE_UNAVAILABLE');
      return 'go-on';
    });
    await clock.advance(60_000);
    expect(lease.lost.aborted).toBe(false);
    lease.end();
  });

  it('counts from the last success', async () => {
    let isUp = false;
    const { clock, lease } = start(async () => {
      if (!isUp) throw kitError('SERVICE_UNAVAILABLE');
      return 'go-on';
    });
    await clock.advance(7_000);
    isUp = true;
    await clock.advance(2_000);
    isUp = false;
    await clock.advance(8_000);
    expect(lease.lost.aborted).toBe(false);
    await clock.advance(2_000);
    expect(lease.lost.aborted).toBe(true);
    lease.end();
  });
});

describe('a lease of a stopped job', () => {
  it('asks for the end and goes on until it comes', async () => {
    const { clock, lease, beats } = start(async () => 'finish');
    expect(lease.finish.aborted).toBe(false);
    await clock.advance(6_000);
    expect(lease.finish.reason).toBe('finished');
    expect([beats(), lease.lost.aborted]).toEqual([3, false]);
    lease.end();
  });
});

describe('the leases of a runner', () => {
  it('are renewed together, those that have just begun in the next round', async () => {
    const { clock, keeper, lease } = start(async () => 'go-on');
    const sentAtMs: number[][] = [[], []];
    const keep = (index: number) =>
      keeper.keep(TERMS, async () => {
        sentAtMs[index]?.push(clock.now().getTime());
        return 'go-on';
      });
    const begunAtMs = clock.now().getTime();
    await clock.advance(1_000);
    const early = keep(0);
    await clock.advance(800);
    const late = keep(1);
    await clock.advance(4_500);
    expect(sentAtMs.map((instants) => instants.map((ms) => ms - begunAtMs))).toEqual([
      [2_000, 4_000, 6_000],
      [4_000, 6_000],
    ]);
    for (const one of [lease, early, late]) one.end();
    await clock.advance(2_000);
    expect(clock.sleeping()).toBe(0);
  });

  it('have the rhythm of the shortest', async () => {
    const { clock, keeper, beats } = start(async () => 'go-on');
    await clock.advance(500);
    let quickBeats = 0;
    keeper.keep({ leaseMs: 1_000, heartbeatMs: 200 }, async () => {
      quickBeats += 1;
      return 'go-on';
    });
    await clock.advance(1_000);
    expect([quickBeats, beats()]).toEqual([5, 5]);
  });

  it('do not wait for one whose heartbeat is not answered, beyond its time limit', async () => {
    const { clock, keeper, beats } = start(async () => 'go-on');
    const slow = keeper.keep(TERMS, async (timeoutMs) => {
      await clock.sleep(timeoutMs);
      throw kitError('DEADLINE_TOO_SHORT');
    });
    await clock.advance(20_000);
    expect(beats()).toBeGreaterThan(4);
    expect(slow.lost.reason).toBe('lease-lost');
  });
});
