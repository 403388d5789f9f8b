import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuthFixture, as, login, register, sessionIdOf, startAuthFixture } from '../auth-fixture.js';

let fixture: AuthFixture;
let mira: bigint;
let otto: bigint;
beforeAll(async () => {
  fixture = await startAuthFixture();
  mira = await register(fixture, 'mira');
  otto = await register(fixture, 'otto');
});
afterAll(() => fixture.stop());

const end = (userId: bigint, sessionId: string) => as(userId, () => fixture.gateway.deleteSession({ sessionId }));
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

describe('DeleteSession UNAUTHENTICATED', () => {
  it('needs an acting user', async () => {
    await expect(fixture.gateway.deleteSession({ sessionId: 'x' })).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
