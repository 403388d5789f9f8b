import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuthFixture, as, endSession, login, register, sessionIdOf, startAuthFixture } from '../auth-fixture.js';

let fixture: AuthFixture;
let mira: bigint;
let otto: bigint;
beforeAll(async () => {
  fixture = await startAuthFixture();
  mira = await register(fixture, 'mira');
  otto = await register(fixture, 'otto');
});
afterAll(() => fixture.stop());

const end = (userId: bigint, sessionId: string) => as(userId, () => endSession(fixture, sessionId));
const ended = async () => (await fixture.gateway.listEndedSessions({})).sessionIds;

describe('DeleteSession OK', () => {
  it('ends this session and no other one of the user', async () => {
    const [here, there] = [await login(fixture, 'mira'), await login(fixture, 'mira')];
    const sessionId = await sessionIdOf(fixture, here.accessToken);
    await end(mira, sessionId);
    expect(await ended()).toEqual([sessionId]);
    await expect(fixture.gateway.createAccessToken({ refreshToken: here.refreshToken })).rejects.toMatchObject({
      reason: 'SESSION_INVALID',
    });
    await fixture.gateway.createAccessToken({ refreshToken: there.refreshToken });
  });

  it('says the same when repeated, and writes one audit line', async () => {
    const { accessToken } = await login(fixture, 'mira');
    const sessionId = await sessionIdOf(fixture, accessToken);
    for (let i = 0; i < 3; i++) expect(await end(mira, sessionId)).toEqual({});
    const lines = fixture.audit().filter((line) => line.event === 'auth.session.ended');
    expect(lines.filter((line) => line.session_id === sessionId)).toHaveLength(1);
  });

  it('does nothing to a session of another user, or to what is no session', async () => {
    const { accessToken, refreshToken } = await login(fixture, 'mira');
    const sessionId = await sessionIdOf(fixture, accessToken);
    for (const id of [sessionId, '', 'garbage', '00000000-0000-0000-0000-000000000000', "' OR 1=1"]) {
      expect(await end(otto, id)).toEqual({});
    }
    expect(await ended()).not.toContain(sessionId);
    await fixture.gateway.createAccessToken({ refreshToken });
  });
});

describe('DeleteSession by a refresh token', () => {
  const endBy = (refreshToken: string) =>
    fixture.gateway.deleteSession({ which: { $case: 'refreshToken', value: refreshToken } });
  const invalid = { status: 'UNAUTHENTICATED', reason: 'SESSION_INVALID' };

  it('OK: ends the session of the token, without an acting user, and lists it as ended', async () => {
    const [here, there] = [await login(fixture, 'mira'), await login(fixture, 'mira')];
    const sessionId = await sessionIdOf(fixture, here.accessToken);
    expect(await endBy(here.refreshToken)).toEqual({ sessionId });
    expect(await ended()).toContain(sessionId);
    await expect(fixture.gateway.createAccessToken({ refreshToken: here.refreshToken })).rejects.toMatchObject(invalid);
    await fixture.gateway.createAccessToken({ refreshToken: there.refreshToken });
    const lines = fixture.audit().filter((line) => line.event === 'auth.session.ended');
    expect(lines.filter((line) => line.session_id === sessionId)).toHaveLength(1);
  });

  it('UNAUTHENTICATED: a token that is unknown, or whose session has ended or expired', async () => {
    const { refreshToken } = await login(fixture, 'mira');
    const { refreshToken: old } = await login(fixture, 'mira');
    await endBy(refreshToken);
    const expired = `UPDATE sessions SET refresh_expires_at = now() - interval '1 s' WHERE ended_at IS NULL`;
    await fixture.query(expired);
    for (const token of [refreshToken, old, '', 'garbage']) await expect(endBy(token)).rejects.toMatchObject(invalid);
  });
});

describe('DeleteSession UNAUTHENTICATED', () => {
  it('needs an acting user', async () => {
    for (const which of [
      { $case: 'sessionId', value: 'x' },
      { $case: 'all', value: true },
    ] as const) {
      await expect(fixture.gateway.deleteSession({ which })).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
    }
  });
});

describe('DeleteSession INVALID_ARGUMENT', () => {
  it('needs to know which', async () => {
    const refused = { reason: 'FIELDS_INVALID', fields: [{ field: 'which', message: 'is required' }] };
    await expect(as(mira, () => fixture.gateway.deleteSession({}))).rejects.toMatchObject(refused);
  });
});
