import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { ROUTES } from '../../src/http/routes/index.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ endedSessionsRefreshMs: 100 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const ID = '11111111-2222-4333-8444-555555555555';
let count = 0;
/** A token that was not seen before: the gateway remembers what it knows. */
const newText = () => `tly_${String(++count).padStart(43, 'A')}`;
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
type Scope = 'read' | 'submit';
const NUMBERS = { read: auth.TokenScope.TOKEN_SCOPE_READ, submit: auth.TokenScope.TOKEN_SCOPE_SUBMIT };

/** Auth knows every token, as one of user 7 with these scopes. */
function know(scopes: readonly Scope[], provider = auth.AuthProvider.AUTH_PROVIDER_SSO, tokenId = ID) {
  gateway.auth.answers.getApiTokenOwner = async () => ({
    user: { userId: 7n, username: 'ada', provider, displayName: '' },
    token: {
      tokenId,
      name: 'laptop',
      scopes: scopes.map((scope) => NUMBERS[scope]),
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
      isEndedWithSessions: false,
    },
  });
}
const send = (method: string, path: string, text: string, extra: Record<string, string> = {}) =>
  gateway.send(method, path, { cookie: '', headers: { ...bearer(text), ...extra }, ...bodyOf(method) });
const bodyOf = (method: string) => (method === 'POST' || method === 'PUT' ? { json: {} } : {});

/** What a token may do where routes have a session. A new changing route takes none until token-scopes.ts says so. */
const SCOPES: Readonly<Record<string, Scope | 'none'>> = {
  'GET /auth/status': 'read',
  'GET /auth/sessions': 'none',
  'DELETE /auth/sessions': 'none',
  'POST /auth/tokens': 'none',
  'GET /auth/tokens': 'none',
  'DELETE /auth/tokens': 'none',
  'POST /user/update': 'none',
  'POST /jobs/direct': 'submit',
  'GET /jobs/direct': 'read',
  'DELETE /jobs/direct': 'submit',
  'POST /jobs/batch': 'submit',
  'GET /jobs/batch': 'read',
  'DELETE /jobs/batch': 'submit',
  'GET /jobs': 'read',
  'GET /jobs/events': 'read',
  'GET /results': 'read',
  'GET /estimators': 'read',
  'GET /inputs': 'read',
  'GET /logfiles': 'read',
  'GET /user/simulations': 'read',
  'DELETE /user/simulations': 'submit',
  'PUT /jobs/labels': 'submit',
  'GET /clusters': 'read',
};

describe('an API token', () => {
  it('opens what its scopes say, route by route, and nothing else', async () => {
    const known = ROUTES.filter(({ auth: kind }) => kind === 'session' || kind === 'sso').filter(
      ({ method, path }) => SCOPES[`${method} ${path}`] !== undefined,
    );
    expect(known).toHaveLength(Object.keys(SCOPES).length);
    for (const [route, needed] of Object.entries(SCOPES)) {
      const [method = '', path = ''] = route.split(' ');
      for (const scope of ['read', 'submit'] as const) {
        know([scope]);
        const response = await fetch(`${gateway.url}${path}?job_id=`, {
          method,
          headers: { ...bearer(newText()), 'Content-Type': 'application/json' },
          ...(method === 'POST' || method === 'PUT' ? { body: '{}' } : {}),
        });
        const isRefused = response.status === 403;
        if (isRefused)
          expect(await response.json()).toMatchObject({
            code: 'TOKEN_SCOPE_MISSING',
            message:
              needed === 'none' ? 'No API token opens this path; sign in' : `The API token lacks the scope "${needed}"`,
          });
        else await response.body?.cancel();
        expect({ route, scope, isRefused, isKnown: response.status !== 401 }).toEqual({
          route,
          scope,
          isRefused: needed !== scope,
          isKnown: true,
        });
      }
    }
  });

  it('acts in the name of its owner', async () => {
    know(['read']);
    const text = newText();
    expect((await send('GET', '/auth/status', text)).body).toMatchObject({ username: 'ada', source: 'sso' });
    await fetch(`${gateway.url}/jobs?job_id=j`, { headers: bearer(text) });
    expect(gateway.jobs.calls[0]?.context).toMatchObject({ userId: 7n });
  });

  it('is asked for once a while, and refused at once when it has ended', async () => {
    know(['read'], undefined, '99999999-2222-4333-8444-555555555555');
    const text = newText();
    for (let i = 0; i < 3; i++) expect((await send('GET', '/auth/status', text)).status).toBe(200);
    expect(gateway.auth.calls.filter(({ rpc }) => rpc === 'getApiTokenOwner')).toHaveLength(1);
    gateway.auth.answers.listEndedSessions = async () => ({
      sessionIds: ['99999999-2222-4333-8444-555555555555'],
      membershipsVersion: 0n,
    });
    await waitFor(async () => (await send('GET', '/auth/status', text)).status === 401, {
      what: 'the end of the token',
    });
  });

  it('is never taken from a cookie, and leaves cookies out of account', async () => {
    know(['read']);
    const text = newText();
    const asCookie = await gateway.send('GET', '/auth/status', { cookie: `access_token=${text}` });
    expect([asCookie.status, asCookie.body.code]).toEqual([401, 'TOKEN_INVALID']);
    expect(gateway.auth.calls.filter(({ rpc }) => rpc === 'getApiTokenOwner')).toHaveLength(0);
    const withGoodCookie = await gateway.send('GET', '/auth/status', { headers: bearer('tly_wrong') });
    expect([withGoodCookie.status, withGoodCookie.body.code]).toEqual([401, 'TOKEN_INVALID']);
  });

  it('neither logs out nor refreshes', async () => {
    know(['read', 'submit']);
    for (const [method, path] of [
      ['DELETE', '/auth/logout'],
      ['GET', '/auth/refresh'],
    ] as const) {
      const answer = await send(method, path, newText());
      expect([answer.status, answer.body.code]).toEqual([401, 'TOKEN_MISSING']);
    }
  });

  it('of a local user does not open what is for single sign-on', async () => {
    know(['read', 'submit'], auth.AuthProvider.AUTH_PROVIDER_LOCAL);
    expect((await send('GET', '/clusters', newText())).body).toMatchObject({ code: 'SSO_REQUIRED' });
  });

  it('is 503, not 401, when auth cannot be asked', async () => {
    gateway.auth.answers.getApiTokenOwner = async () => {
      throw new Error('broken');
    };
    expect((await send('GET', '/auth/status', newText())).status).toBe(503);
  });
});

describe('the routes of tokens and sessions', () => {
  const token = {
    tokenId: ID,
    name: 'laptop',
    scopes: [NUMBERS.read],
    createdAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: new Date('2026-04-01T00:00:00Z'),
    isEndedWithSessions: true,
  };

  it('make a token, for 90 days unless asked otherwise', async () => {
    gateway.auth.answers.createApiToken = async () => ({ text: newText(), token });
    const made = await gateway.send('POST', '/auth/tokens', { json: { name: 'laptop', scopes: ['read'] } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ token_id: ID, scopes: ['read'], last_used_at: null, ends_with_sessions: true });
    const call = gateway.auth.calls.find(({ rpc }) => rpc === 'createApiToken');
    const request = call?.request as auth.CreateApiTokenRequest | undefined;
    expect(Math.abs(Number(request?.expiresAt) - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000);
    for (const json of [
      { name: 'x' },
      { name: 'x', scopes: ['admin'] },
      { name: 'x', scopes: ['read'], expires_at: 'soon' },
      { name: 'x', scopes: ['read'], expiry: '2027-01-01T00:00:00Z' },
    ]) {
      expect((await gateway.send('POST', '/auth/tokens', { json })).status).toBe(400);
    }
  });

  it('list and end tokens and sessions', async () => {
    gateway.auth.answers.listApiTokens = async () => ({ tokens: [token] });
    expect((await gateway.send('GET', '/auth/tokens')).body.tokens).toHaveLength(1);
    gateway.auth.answers.deleteApiToken = async () => ({});
    expect((await gateway.send('DELETE', `/auth/tokens?token_id=${ID}`)).status).toBe(200);
    const dates = { createdAt: new Date(), expiresAt: new Date() };
    gateway.auth.answers.listSessions = async () => ({
      sessions: ['session-1', 'other'].map((sessionId) => ({ sessionId, ...dates })),
    });
    expect((await gateway.send('GET', '/auth/sessions')).body.sessions).toMatchObject([
      { is_current: true },
      { is_current: false },
    ]);
    gateway.auth.answers.deleteSession = async () => ({});
    expect((await gateway.send('DELETE', '/auth/sessions?session_id=other')).status).toBe(200);
    const cookie = gateway.cookie({ sid: 'ends-here' });
    expect((await gateway.send('DELETE', '/auth/sessions', { cookie })).status).toBe(200);
    expect((await gateway.send('GET', '/auth/status', { cookie })).status).toBe(401);
  });
});
