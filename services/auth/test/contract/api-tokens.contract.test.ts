import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { fakeClock, waitFor } from '@tally/testkit';
import {
  type AuthFixture,
  as,
  endSession,
  login,
  PASSWORD,
  register,
  sessionIdOf,
  startAuthFixture,
} from '../auth-fixture.js';

const DAY_MS = 24 * 60 * 60_000;
const { TOKEN_SCOPE_READ: READ, TOKEN_SCOPE_SUBMIT: SUBMIT } = auth.TokenScope;
const clock = fakeClock(new Date('2026-06-01T12:00:00Z'));
let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({ tokensPerUserMax: 3, housekeepingIntervalMs: DAY_MS }, clock);
});
afterAll(() => fixture.stop());

const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);

async function create(userId: bigint, wanted: Partial<auth.CreateApiTokenRequest> = {}) {
  const request = { name: 'laptop', scopes: [READ], expiresAt: inDays(1), isEndedWithSessions: false, ...wanted };
  const { text, token } = await as(userId, () => fixture.gateway.createApiToken(request));
  return { text, id: token?.tokenId ?? '', token };
}
const list = async (userId: bigint) => (await as(userId, () => fixture.gateway.listApiTokens({}))).tokens;
const ownerOf = (text: string) => fixture.gateway.getApiTokenOwner({ text });
const REFUSED = { status: 'UNAUTHENTICATED', reason: 'TOKEN_INVALID' };

describe('CreateApiToken OK', () => {
  it('gives a token once, keeps its hash only, and says nothing of it in the log', async () => {
    const user = await register(fixture, 'once');
    const { text, id } = await create(user, { scopes: [SUBMIT, READ, READ] });
    expect(text).toMatch(/^tly_[A-Za-z0-9_-]{43}$/);
    expect(await list(user)).toEqual([
      expect.objectContaining({ tokenId: id, name: 'laptop', scopes: [READ, SUBMIT], lastUsedAt: undefined }),
    ]);
    const rows = await fixture.query('SELECT * FROM api_tokens');
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(text);
    expect(fixture.lines.join('\n')).not.toContain(text.slice(4));
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.token.created', user_id: String(user), token_id: id }),
    );
  });
});

describe('CreateApiToken INVALID_ARGUMENT', () => {
  it('names the wrong fields', async () => {
    const user = await register(fixture, 'fields');
    const table: [Partial<auth.CreateApiTokenRequest>, string][] = [
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(129) }, 'name'],
      [{ name: 'a\u0007' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: [auth.TokenScope.TOKEN_SCOPE_UNSPECIFIED] }, 'scopes'],
      [{ expiresAt: undefined }, 'expires_at'],
      [{ expiresAt: clock.now() }, 'expires_at'],
      [{ expiresAt: inDays(367) }, 'expires_at'],
    ];
    for (const [wanted, field] of table) {
      await expect(create(user, wanted)).rejects.toMatchObject({ reason: 'FIELDS_INVALID', fields: [{ field }] });
    }
  });
});

describe('CreateApiToken RESOURCE_EXHAUSTED', () => {
  it('makes no more than a user may have, and one more when another has ended', async () => {
    const user = await register(fixture, 'many');
    const first = await create(user);
    await create(user);
    await create(user);
    await expect(create(user)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'TOKENS_EXCEEDED' });
    await as(user, () => fixture.gateway.deleteApiToken({ tokenId: first.id }));
    await create(user);
  });
});

describe('GetApiTokenOwner', () => {
  it('says whose token it is and what it may do, and notes the minute of its use', async () => {
    const user = await register(fixture, 'owner');
    const { text, id } = await create(user, { scopes: [SUBMIT] });
    expect(await ownerOf(text)).toMatchObject({
      user: { userId: user, username: 'owner' },
      token: { tokenId: id, scopes: [SUBMIT], expiresAt: inDays(1) },
    });
    expect((await list(user))[0]?.lastUsedAt).toEqual(new Date('2026-06-01T12:00:00Z'));
  });

  it('refuses what is unknown, expired or ended', async () => {
    const user = await register(fixture, 'refused');
    const ended = await create(user);
    const short = await create(user, { expiresAt: new Date(clock.now().getTime() + 1) });
    await as(user, () => fixture.gateway.deleteApiToken({ tokenId: ended.id }));
    await waitFor(() => clock.sleeping() === 1, { what: 'the clean-up to rest' });
    await clock.advance(1);
    for (const text of [ended.text, short.text, '', 'tly_', ended.text.slice(0, -1), `tly_${'A'.repeat(43)}`]) {
      await expect(ownerOf(text)).rejects.toMatchObject(REFUSED);
    }
    expect((await list(user)).length).toBe(0);
  });
});

describe('DeleteApiToken', () => {
  it('ends a token, and lists it as ended as long as somebody may remember it', async () => {
    const user = await register(fixture, 'ends');
    const { text, id } = await create(user);
    await as(user, () => fixture.gateway.deleteApiToken({ tokenId: id }));
    await expect(ownerOf(text)).rejects.toMatchObject(REFUSED);
    expect((await fixture.gateway.listEndedSessions({})).sessionIds).toContain(id);
    expect(fixture.audit()).toContainEqual(expect.objectContaining({ event: 'auth.token.ended', token_id: id }));
    await expect(as(user, () => fixture.gateway.deleteApiToken({ tokenId: id }))).rejects.toMatchObject({
      status: 'NOT_FOUND',
      reason: 'TOKEN_NOT_FOUND',
    });
  });

  it('leaves the tokens of others alone', async () => {
    const [user, stranger] = [await register(fixture, 'mine'), await register(fixture, 'stranger')];
    const { text, id } = await create(user);
    for (const tokenId of [id, 'nonsense']) {
      await expect(as(stranger, () => fixture.gateway.deleteApiToken({ tokenId }))).rejects.toMatchObject({
        reason: 'TOKEN_NOT_FOUND',
      });
    }
    expect(await list(stranger)).toEqual([]);
    await ownerOf(text);
  });
});

describe('tokens and sessions', () => {
  it('end together where the user said so: with all sessions, and with a new password', async () => {
    for (const [name, end] of [
      ['all', () => fixture.gateway.deleteSession({ which: { $case: 'all', value: true } })],
      [
        'password',
        () =>
          fixture.gateway.updateUser({
            sessionId: '',
            currentPassword: PASSWORD,
            newPassword: 'staple of the battery',
          }),
      ],
    ] as const) {
      const user = await register(fixture, name);
      const session = await login(fixture, name);
      const [stays, goes] = [await create(user), await create(user, { isEndedWithSessions: true })];
      await as<unknown>(user, end);
      await ownerOf(stays.text);
      await expect(ownerOf(goes.text)).rejects.toMatchObject(REFUSED);
      const { sessionIds } = await fixture.gateway.listEndedSessions({});
      expect(sessionIds).toEqual(expect.arrayContaining([goes.id, await sessionIdOf(fixture, session.accessToken)]));
      expect(sessionIds).not.toContain(stays.id);
    }
  });

  it('lists the sessions that live, of this user alone', async () => {
    const user = await register(fixture, 'lists');
    const [one, two] = [await login(fixture, 'lists'), await login(fixture, 'lists')];
    await as(user, async () => endSession(fixture, await sessionIdOf(fixture, one.accessToken)));
    const { sessions } = await as(user, () => fixture.gateway.listSessions({}));
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([await sessionIdOf(fixture, two.accessToken)]);
  });
});

describe('housekeeping', () => {
  it('deletes tokens that have ended or expired when nobody can remember them', async () => {
    const [before] = await fixture.query('SELECT count(*) FROM api_tokens');
    expect(Number(before?.count)).toBeGreaterThan(0);
    for (let day = 0; day < 3; day++) {
      await waitFor(() => clock.sleeping() === 1, { what: 'the clean-up to rest' });
      await clock.advance(DAY_MS);
    }
    await waitFor(() => clock.sleeping() === 1, { what: 'the last clean-up' });
    const [after] = await fixture.query('SELECT count(*) FROM api_tokens');
    expect(Number(after?.count)).toBe(0);
  });
});
