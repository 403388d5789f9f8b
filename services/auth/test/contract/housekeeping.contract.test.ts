import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fakeClock, waitFor } from '@tally/testkit';
import { type AuthFixture, as, endSession, login, register, sessionIdOf, startAuthFixture } from '../auth-fixture.js';

const MINUTE_MS = 60_000;
const clock = fakeClock(new Date('2026-06-01T12:00:00Z'));
let fixture: AuthFixture;
let mira: bigint;
beforeAll(async () => {
  // two rows a statement: more than one is needed for every table
  fixture = await startAuthFixture({ housekeepingIntervalMs: MINUTE_MS, housekeepingRowsMax: 2 }, clock);
  mira = await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

const count = async (table: string) => Number((await fixture.query(`SELECT count(*) FROM ${table}`))[0]?.count);

/** Lets time pass, at least a minute; the last clean-up is at its end. */
async function pass(ms: number): Promise<void> {
  for (const step of [ms - MINUTE_MS, MINUTE_MS]) {
    await waitFor(() => clock.sleeping() === 1, { what: 'the clean-up to rest' });
    await clock.advance(step);
  }
  await waitFor(() => clock.sleeping() === 1, { what: 'the clean-up' });
}

describe('housekeeping', () => {
  it('deletes sessions, counts and known addresses when nobody needs them any more, and not before', async () => {
    for (let i = 0; i < 5; i++) {
      const session = await login(fixture, 'mira', undefined, `10.0.0.${i}`);
      const sessionId = await sessionIdOf(fixture, session.accessToken);
      if (i < 2) await as(mira, () => endSession(fixture, sessionId));
      await login(fixture, `nobody-${i}`).catch(() => undefined);
    }
    expect([await count('sessions'), await count('login_addresses')]).toEqual([5, 5]);
    expect(await count('throttles')).toBeGreaterThan(5);

    await pass(11 * MINUTE_MS); // access tokens of the ended ones and the margin: not over yet
    expect(await count('sessions')).toBe(5);
    await pass(MINUTE_MS);
    expect(await count('sessions')).toBe(3);
    await pass(4 * MINUTE_MS); // the window
    expect(await count('throttles')).toBe(0);
    expect((await fixture.gateway.listEndedSessions({})).sessionIds).toEqual([]);

    await pass(104 * MINUTE_MS); // 120 min: refresh tokens
    expect(await count('sessions')).toBe(3);
    await pass(MINUTE_MS);
    expect(await count('sessions')).toBe(0);
    expect(await count('login_addresses')).toBe(5);
    await pass(30 * 24 * 60 * MINUTE_MS);
    expect(await count('login_addresses')).toBe(0);
    expect(await count('users')).toBe(1);
    expect(await count('signing_keys')).toBe(1);
  });
});
