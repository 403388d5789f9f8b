import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { type AuthFixture, as, endSession, login, register, sessionIdOf, startAuthFixture } from '../auth-fixture.js';

const MINUTE_MS = 60_000;
const clock = fakeClock(new Date('2026-06-01T12:00:00Z'));
let fixture: AuthFixture;
let mira: bigint;
beforeAll(async () => {
  fixture = await startAuthFixture({}, clock);
  mira = await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

const ended = async () => (await fixture.gateway.listEndedSessions({})).sessionIds;

describe('ListEndedSessions OK', () => {
  it('names an ended session until its last access token has expired by any clock, then no more', async () => {
    const session = await login(fixture, 'mira');
    const sessionId = await sessionIdOf(fixture, session.accessToken);
    expect(await ended()).toEqual([]);
    await clock.advance(9 * MINUTE_MS);
    await fixture.gateway.createAccessToken({ refreshToken: session.refreshToken }); // lives until minute 19
    await as(mira, () => endSession(fixture, sessionId));
    await clock.advance(10 * MINUTE_MS);
    expect(await ended()).toEqual([sessionId]);
    await clock.advance(MINUTE_MS);
    expect(await ended()).toEqual([]);
  });

  it('is the same at every copy', async () => {
    const second = await fixture.addCopy();
    const session = await login(fixture, 'mira');
    const sessionId = await sessionIdOf(second, session.accessToken);
    await as(mira, () => endSession(second, sessionId));
    expect(await ended()).toEqual([sessionId]);
  });
});

describe('ListEndedSessions PERMISSION_DENIED', () => {
  it('refuses callers that the contract does not name', async () => {
    await expect(fixture.bridge.listEndedSessions({})).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
