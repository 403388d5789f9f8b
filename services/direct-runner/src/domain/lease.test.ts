import { describe, expect, it } from '@jest/globals';
import { kitError, silentLogger } from '@tally/service-kit';
import { fakeClock } from '@tally/testkit';
import { fail } from './errors.js';
import { keepLease } from './lease.js';

const TERMS = { leaseMs: 10_000, heartbeatMs: 2_000 };

function start(beat: () => Promise<boolean>) {
  const clock = fakeClock();
  let beats = 0;
  const lease = keepLease({ clock, logger: silentLogger }, TERMS, () => {
    beats += 1;
    return beat();
  });
  return { clock, lease, beats: () => beats };
}

describe('a lease', () => {
  it('is renewed at the interval of the order, until its end', async () => {
    const { clock, lease, beats } = start(async () => false);
    await clock.advance(20_000);
    expect(beats()).toBe(10);
    lease.end();
    await clock.advance(20_000);
    expect(beats()).toBe(10);
    expect(lease.lost.aborted).toBe(false);
  });

  it('is lost at once when jobs says stop', async () => {
    const { clock, lease, beats } = start(async () => true);
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('unwanted');
    expect(lease.unwanted.aborted).toBe(true);
    await clock.advance(20_000);
    expect(beats()).toBe(1);
  });

  it('is lost at once when jobs does not know the attempt', async () => {
    const { clock, lease } = start(async () => {
      throw fail('DECK_INVALID'); // any refusal
    });
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('unwanted');
  });

  it('is lost when no heartbeat got through for its length, but not unwanted', async () => {
    const { clock, lease, beats } = start(async () => {
      throw kitError('SERVICE_UNAVAILABLE');
    });
    await clock.advance(8_000);
    expect(lease.lost.aborted).toBe(false);
    await clock.advance(2_000);
    expect(lease.lost.reason).toBe('lease-lost');
    expect(lease.unwanted.aborted).toBe(false);
    await clock.advance(2_000);
    expect(beats()).toBe(6); // only jobs can say that the finished work is unwanted
    lease.end();
  });

  it('counts from the last success', async () => {
    let isUp = false;
    const { clock, lease } = start(async () => {
      if (!isUp) throw kitError('SERVICE_UNAVAILABLE');
      return false;
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
