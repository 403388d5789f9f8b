import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import {
  type AuthFixture,
  as,
  endSession,
  login,
  register,
  sessionIdOf,
  startAuthFixture,
  verify,
} from '../auth-fixture.js';

const MINUTE_MS = 60_000;
const clock = fakeClock(new Date('2026-06-01T12:00:00Z'));
let fixture: AuthFixture;
let mira: bigint;
beforeAll(async () => {
  fixture = await startAuthFixture({}, clock);
  mira = await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

const refresh = (refreshToken: string) => fixture.gateway.createAccessToken({ refreshToken });
const INVALID = { status: 'UNAUTHENTICATED', reason: 'SESSION_INVALID' };

describe('CreateAccessToken OK', () => {
  it('gives a new token of the same session, as often as asked', async () => {
    const session = await login(fixture, 'mira');
    const sid = await sessionIdOf(fixture, session.accessToken);
    await clock.advance(5 * MINUTE_MS);
    for (let i = 0; i < 2; i++) {
      const { accessToken, accessExpiresAt } = await refresh(session.refreshToken);
      expect(accessExpiresAt).toEqual(new Date(clock.now().getTime() + 10 * MINUTE_MS));
      expect(await verify(fixture, accessToken)).toMatchObject({ sub: String(mira), sid, provider: 'local' });
    }
  });

  it('works until the session is 120 minutes old, and not after', async () => {
    const { refreshToken } = await login(fixture, 'mira');
    await clock.advance(120 * MINUTE_MS - 1);
    await refresh(refreshToken);
    await clock.advance(1);
    await expect(refresh(refreshToken)).rejects.toMatchObject(INVALID);
  });
});

describe('CreateAccessToken UNAUTHENTICATED', () => {
  it('refuses what is no refresh token of ours', async () => {
    const { refreshToken, accessToken } = await login(fixture, 'mira');
    const broken = `${refreshToken.slice(0, -1)}${refreshToken.endsWith('A') ? 'E' : 'A'}`;
    for (const token of ['', 'garbage', broken, ` ${refreshToken}`, accessToken, 'x'.repeat(100_000), '\0']) {
      await expect(refresh(token)).rejects.toMatchObject(INVALID);
    }
  });

  it('refuses the token of an ended session, also when the end overtakes the refresh', async () => {
    const { refreshToken, accessToken } = await login(fixture, 'mira');
    const sessionId = await sessionIdOf(fixture, accessToken);
    const racing = Promise.allSettled(Array.from({ length: 8 }, () => refresh(refreshToken)));
    await as(mira, () => endSession(fixture, sessionId));
    const issued = (await racing).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await expect(refresh(refreshToken)).rejects.toMatchObject(INVALID);
    // whatever was still issued is covered by the list of ended sessions for its whole life
    const [row] = await fixture.query('SELECT access_expires_at FROM sessions WHERE id = $1', [sessionId]);
    for (const { accessExpiresAt } of issued) {
      expect(Number(row?.access_expires_at)).toBeGreaterThanOrEqual(accessExpiresAt?.getTime() ?? 0);
    }
  });
});
