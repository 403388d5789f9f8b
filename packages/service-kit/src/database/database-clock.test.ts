import { expect, it } from '@jest/globals';
import type { Statements } from './database.js';
import { DatabaseClock } from './database-clock.js';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-05-01T12:00:00Z');

/** A machine whose wall clock is wrong by some time, and a database that answers at the true time, halfway of its delay. */
function setUp() {
  const machine = { trueMs: START_MS, wrongMs: HOUR_MS, roundTripMs: 40, databaseAheadMs: 0 };
  const own = {
    now: () => new Date(machine.trueMs + machine.wrongMs),
    monotonicMs: () => machine.trueMs - START_MS,
    sleep: async () => {},
  };
  const row = async () => {
    const epochMs = (machine.trueMs += machine.roundTripMs / 2) + machine.databaseAheadMs;
    machine.trueMs += machine.roundTripMs / 2;
    return { epochMs };
  };
  const clock = new DatabaseClock({ row: row as Statements['row'] }, own);
  return { machine, clock, errorMs: () => clock.now().getTime() - machine.trueMs };
}

it('says the time of the database, whatever the clock of the machine says and is set to', async () => {
  const { machine, clock, errorMs } = setUp();
  expect(errorMs()).toBe(HOUR_MS); // nothing is known yet
  await clock.synchronise();
  expect(errorMs()).toBe(0);
  machine.trueMs += HOUR_MS;
  machine.wrongMs = -HOUR_MS;
  expect(errorMs()).toBe(0);
});

it('follows the database, and keeps what it knows when an answer comes late', async () => {
  const { machine, clock, errorMs } = setUp();
  machine.roundTripMs = 5_000;
  await clock.synchronise(); // late, and better than nothing
  expect(errorMs()).toBe(0);
  machine.databaseAheadMs = 70;
  await clock.synchronise();
  expect(errorMs()).toBe(0);
  machine.roundTripMs = 40;
  await clock.synchronise();
  expect(errorMs()).toBe(70);
});
