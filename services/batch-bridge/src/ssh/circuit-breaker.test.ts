import { expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { CircuitBreaker } from './circuit-breaker.js';

const options = { failureCountMax: 3, pauseFirstMs: 1_000, pauseMaxMs: 60_000, random: () => 1 };

it('stays closed until the given number of failures in a row, then pauses twice as long each time, up to the limit', async () => {
  const clock = fakeClock();
  const breaker = new CircuitBreaker({ ...options, clock });
  breaker.fail();
  breaker.fail();
  expect(breaker.pauseMs()).toBe(0);
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    breaker.fail();
    expect(breaker.pauseMs()).toBe(pauseMs);
    await clock.advance(pauseMs);
    expect(breaker.pauseMs()).toBe(0);
  }
});

it('lets one attempt through after the pause, and everybody after its success', async () => {
  const clock = fakeClock();
  const breaker = new CircuitBreaker({ ...options, clock });
  for (let i = 0; i < 3; i++) breaker.fail();
  await clock.advance(1_000);
  breaker.begin();
  expect(breaker.pauseMs()).toBeGreaterThan(0);
  breaker.succeed();
  expect(breaker.pauseMs()).toBe(0);
  breaker.fail();
  expect(breaker.pauseMs()).toBe(0);
});

it('shortens a pause by up to half, so that copies do not come back at once', () => {
  const pauses = [0, 0.5, 1].map((random) => {
    const breaker = new CircuitBreaker({ ...options, clock: fakeClock(), failureCountMax: 1, random: () => random });
    breaker.fail();
    return breaker.pauseMs();
  });
  expect(pauses).toEqual([500, 750, 1_000]);
});
