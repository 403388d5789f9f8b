import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { refusalsOf } from '../stand-ins/refuse.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const anonymous = { cookie: '' };
const ada = { username: 'ada', password: 'correct horse' };
const accessExpiresAt = new Date('2026-01-02T03:04:05.678Z');
const refreshExpiresAt = new Date('2026-01-02T05:04:05.000Z');
const user = { userId: 7n, username: 'ada', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' };
const session = { accessToken: 'a.b.c', accessExpiresAt, refreshToken: 'r-1', refreshExpiresAt, user };
const refuse = refusalsOf('auth');

describe('PUT /auth/register', () => {
  it('201: creates the user with the address of the client', async () => {
    gateway.auth.answers.createUser = async () => ({ user });
    const reply = await gateway.send('PUT', '/auth/register', { ...anonymous, json: ada });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ message: 'User created', status_code: 201 });
    expect(gateway.auth.calls.find(({ rpc }) => rpc === 'createUser')?.request).toEqual({
      ...ada,
      remoteAddress: '127.0.0.1',
    });
  });

  it('400: names each missing field', async () => {
    const reply = await gateway.send('PUT', '/auth/register', { ...anonymous, json: {} });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'REQUEST_INVALID',
      errors: [
        { field: 'username', message: 'is required' },
        { field: 'password', message: 'is required' },
      ],
    });
    for (const json of [{ username: 'ada' }, { password: 'x' }, { ...ada, username: '' }, { ...ada, username: 7 }]) {
      expect((await gateway.send('PUT', '/auth/register', { ...anonymous, json })).status).toBe(400);
    }
    expect((await gateway.send('PUT', '/auth/register', anonymous)).status).toBe(400);
  });

  it('403: registration is switched off', async () => {
    gateway.auth.answers.createUser = refuse('REGISTRATION_DISABLED', 'PERMISSION_DENIED');
    const reply = await gateway.send('PUT', '/auth/register', { ...anonymous, json: ada });
    expect([reply.status, reply.body.code]).toEqual([403, 'REGISTRATION_DISABLED']);
  });

  it('409: the name is taken', async () => {
    gateway.auth.answers.createUser = refuse('USERNAME_TAKEN', 'ALREADY_EXISTS');
    expect((await gateway.send('PUT', '/auth/register', { ...anonymous, json: ada })).status).toBe(409);
  });
});

describe('POST /auth/login', () => {
  it('202: says when the tokens expire and gives both in cookies, with exactly the attributes of the interface', async () => {
    gateway.auth.answers.createSession = async () => ({ session, deviceToken: '' });
    const reply = await gateway.send('POST', '/auth/login', { ...anonymous, json: ada });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      message: 'User logged in',
      access_exp: '2026-01-02T03:04:05.678Z',
      refresh_exp: '2026-01-02T05:04:05.000Z',
    });
    expect(reply.headers.getSetCookie()).toEqual([
      'access_token=a.b.c; Path=/; HttpOnly; Secure; SameSite=None',
      'refresh_token=r-1; Path=/; HttpOnly; Secure; SameSite=None',
    ]);
    expect(reply.text).not.toContain('a.b.c');
    expect(reply.text).not.toContain('r-1');
  });

  it('202: keeps a proof on the device, and shows it with the next login', async () => {
    const deviceExpiresAt = new Date(Date.now() + 3_600_500);
    gateway.auth.answers.createSession = async () => ({ session, deviceToken: 'k.proof-1', deviceExpiresAt });
    const first = await gateway.send('POST', '/auth/login', { ...anonymous, json: ada });
    const [, , device] = first.headers.getSetCookie();
    expect(device).toMatch(/^device_token=k\.proof-1; Max-Age=3(600|599); Path=\/; HttpOnly; Secure; SameSite=None$/);
    await gateway.send('POST', '/auth/login', { cookie: 'device_token=k.proof-1', json: ada });
    const shown = gateway.auth.calls.filter(({ rpc }) => rpc === 'createSession').map(({ request }) => request);
    expect(shown).toMatchObject([{ deviceToken: '' }, { deviceToken: 'k.proof-1' }]);
  });

  it('400: missing fields', async () => {
    expect((await gateway.send('POST', '/auth/login', { ...anonymous, json: { username: 'ada' } })).status).toBe(400);
  });

  it('401: invalid credentials, and no cookie', async () => {
    gateway.auth.answers.createSession = refuse('CREDENTIALS_INVALID', 'UNAUTHENTICATED');
    const reply = await gateway.send('POST', '/auth/login', { ...anonymous, json: ada });
    expect(reply.status).toBe(401);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('429: says how long to wait, rounded up to seconds', async () => {
    gateway.auth.answers.createSession = refuse('LOGIN_THROTTLED', 'RESOURCE_EXHAUSTED', { retryAfterMs: 4_200 });
    const reply = await gateway.send('POST', '/auth/login', { ...anonymous, json: ada });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '5']);
    gateway.auth.answers.createSession = refuse('LOGIN_THROTTLED', 'RESOURCE_EXHAUSTED');
    expect((await gateway.send('POST', '/auth/login', { ...anonymous, json: ada })).headers.get('retry-after')).toBe(
      '1',
    );
  });
});

describe('GET /auth/refresh', () => {
  it('200: gives a new access token for the refresh token, and leaves that one', async () => {
    gateway.auth.answers.createAccessToken = async ({ refreshToken }) => ({
      accessToken: `new-for-${refreshToken}`,
      accessExpiresAt,
    });
    const reply = await gateway.send('GET', '/auth/refresh', { cookie: 'refresh_token=r-1' });
    expect([reply.status, reply.body.access_exp]).toEqual([200, '2026-01-02T03:04:05.678Z']);
    expect(reply.headers.getSetCookie()).toEqual(['access_token=new-for-r-1; Path=/; HttpOnly; Secure; SameSite=None']);
  });

  it('401: no refresh token, or one that auth refuses', async () => {
    expect((await gateway.send('GET', '/auth/refresh')).body).toMatchObject({
      message: 'No token provided',
      status_code: 401,
    });
    gateway.auth.answers.createAccessToken = refuse('REFRESH_TOKEN_INVALID', 'UNAUTHENTICATED');
    expect((await gateway.send('GET', '/auth/refresh', { cookie: 'refresh_token=r-1' })).status).toBe(401);
  });
});

describe('GET /auth/status', () => {
  it('200: the user of the token, without asking a service', async () => {
    expect((await gateway.send('GET', '/auth/status')).body).toMatchObject({ username: 'ada', source: 'local' });
    const sso = await gateway.send('GET', '/auth/status', { cookie: gateway.ssoCookie });
    expect(sso.body).toMatchObject({ username: 'ada', source: 'sso' });
    const asked = gateway.auth.calls.map(({ rpc }) => rpc);
    expect(asked.filter((rpc) => rpc !== 'listEndedSessions' && rpc !== 'listSigningKeys')).toEqual([]);
  });

  it('401: no cookie, or an empty one', async () => {
    for (const cookie of ['', 'access_token=', 'refresh_token=r-1']) {
      const reply = await gateway.send('GET', '/auth/status', { cookie });
      expect(reply.body).toMatchObject({ message: 'No token provided', status_code: 401, code: 'TOKEN_MISSING' });
    }
  });
});

describe.each(['/auth/logout', '/auth/sso'])('DELETE %s', (path) => {
  const CLEARED = [
    'access_token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=None',
    'refresh_token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=None',
  ];
  const accessToken = (claims: Record<string, unknown> = {}) => gateway.cookie({ sid: `of-${path}`, ...claims });
  const expired = () => accessToken({ exp: Math.floor(Date.now() / 1000) - 1 });
  const requests = () =>
    gateway.auth.calls
      .filter(({ rpc }) => rpc === 'deleteSession')
      .map(({ request }) => (request as auth.DeleteSessionRequest).which);
  const calls = () => requests().map((which) => which?.$case);
  const ends = (sessionId: string) => {
    gateway.auth.answers.deleteSession = async ({ which }: auth.DeleteSessionRequest) =>
      which?.$case === 'refreshToken' ? { sessionId } : {};
  };
  const refuseToken = refuse('SESSION_INVALID', 'UNAUTHENTICATED');
  const knowsNoToken = () => {
    gateway.auth.answers.deleteSession = async ({ which }: auth.DeleteSessionRequest) =>
      which?.$case === 'refreshToken' ? refuseToken() : {};
  };

  it.each([
    ['an expired access token', () => `${expired()}; refresh_token=live`],
    ['no access token', () => 'refresh_token=live'],
    ['an access token that is none', () => 'access_token=garbage; refresh_token=live'],
  ])('200: logs out by a live refresh token with %s', async (_what, cookie) => {
    const sessionId = `live-${_what}-${path}`;
    ends(sessionId);
    const reply = await gateway.send('DELETE', path, { cookie: cookie() });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, CLEARED]);
    expect(requests()).toEqual([{ $case: 'refreshToken', value: 'live' }]);
    const { body } = await gateway.send('GET', '/auth/status', { cookie: accessToken({ sid: sessionId }) });
    expect(body.code).toBe('TOKEN_INVALID');
  });

  it('200: asks once where both tokens are of one session, and ends both where they are not', async () => {
    ends(`both-${path}`);
    const cookie = `${accessToken({ sid: `both-${path}` })}; refresh_token=live`;
    expect((await gateway.send('DELETE', path, { cookie })).status).toBe(200);
    expect(calls()).toEqual(['refreshToken']);
    const other = `${accessToken({ sid: `other-${path}` })}; refresh_token=live`;
    expect((await gateway.send('DELETE', path, { cookie: other })).status).toBe(200);
    expect(calls()).toEqual(['refreshToken', 'refreshToken', 'sessionId']);
  });

  it('200: logs out by a valid access token with a refresh token that is of no use', async () => {
    knowsNoToken();
    const reply = await gateway.send('DELETE', path, {
      cookie: `${accessToken({ sid: `a-${path}` })}; refresh_token=x`,
    });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, CLEARED]);
    expect(calls()).toEqual(['refreshToken', 'sessionId']);
  });

  it.each([
    ['neither is valid', () => `${expired()}; refresh_token=old`, 'TOKEN_INVALID'],
    ['there is one, and it has expired', expired, 'TOKEN_INVALID'],
    ['there is one, and it is unknown', () => 'refresh_token=old', 'TOKEN_INVALID'],
  ])('401: %s; the cookies are taken away all the same', async (_what, cookie, code) => {
    knowsNoToken();
    const reply = await gateway.send('DELETE', path, { cookie: cookie() });
    expect([reply.status, reply.body.code, reply.headers.getSetCookie()]).toEqual([401, code, CLEARED]);
  });

  it('503: auth is away; the cookies are taken away all the same', async () => {
    gateway.auth.answers.deleteSession = refuse('SERVICE_UNAVAILABLE', 'UNAVAILABLE');
    const reply = await gateway.send('DELETE', path, { cookie: 'refresh_token=live' });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([503, CLEARED]);
  });

  it('403: a page of a foreign origin logs nobody out', async () => {
    const headers = { Origin: 'https://evil.example' };
    const reply = await gateway.send('DELETE', path, { cookie: 'refresh_token=live', headers });
    expect([reply.status, reply.headers.getSetCookie(), calls()]).toEqual([403, [], []]);
  });

  it('200: ends the session, empties both cookies, and refuses the token from then on', async () => {
    gateway.auth.answers.deleteSession = async () => ({});
    const cookie = gateway.cookie({ sid: `session-of-${path}` });
    const reply = await gateway.send('DELETE', path, { cookie });
    expect(reply.status).toBe(200);
    expect(reply.headers.getSetCookie()).toEqual(CLEARED);
    const call = gateway.auth.calls.find(({ rpc }) => rpc === 'deleteSession');
    expect(call?.request).toEqual({ which: { $case: 'sessionId', value: `session-of-${path}` } });
    expect(call?.context?.userId).toBe(7n);
    expect((await gateway.send('GET', '/auth/status', { cookie })).body).toMatchObject({
      message: 'Token is invalid or has expired',
      code: 'TOKEN_INVALID',
    });
  });

  it('401: without a token; there is no cookie to take away', async () => {
    const reply = await gateway.send('DELETE', path, anonymous);
    expect([reply.status, reply.body.code, reply.headers.getSetCookie()]).toEqual([401, 'TOKEN_MISSING', []]);
  });
});

describe('POST /auth/sso', () => {
  const json = { sso_token: 'realm.token.x' };

  it('202: gives the session of whoever the token names; a user name in the body changes nothing', async () => {
    gateway.auth.answers.createSsoSession = async () => ({ session });
    const reply = await gateway.send('POST', '/auth/sso', { ...anonymous, json: { ...json, username: 'root' } });
    expect(reply.status).toBe(202);
    expect(reply.headers.getSetCookie()).toHaveLength(2);
    expect(gateway.auth.calls.find(({ rpc }) => rpc === 'createSsoSession')?.request).toEqual({
      ssoToken: 'realm.token.x',
      remoteAddress: '127.0.0.1',
    });
  });

  it('400: no token', async () => {
    expect((await gateway.send('POST', '/auth/sso', { ...anonymous, json: {} })).status).toBe(400);
  });

  it('401: the token is refused', async () => {
    gateway.auth.answers.createSsoSession = refuse('SSO_TOKEN_INVALID', 'UNAUTHENTICATED');
    expect((await gateway.send('POST', '/auth/sso', { ...anonymous, json })).status).toBe(401);
  });

  it('500: the realm cannot be asked, whatever status auth gives that', async () => {
    for (const status of ['INTERNAL', 'UNAVAILABLE'] as const) {
      gateway.auth.answers.createSsoSession = refuse('SSO_REALM_UNAVAILABLE', status);
      const reply = await gateway.send('POST', '/auth/sso', { ...anonymous, json });
      expect([reply.status, reply.body.code]).toEqual([500, 'SSO_REALM_UNAVAILABLE']);
    }
  });
});

describe('GET /auth/sso', () => {
  const nowhere = {
    clientId: '',
    scope: '',
    authorizationEndpoint: '',
    tokenEndpoint: '',
    deviceAuthorizationEndpoint: '',
  };

  it('200: says where to sign in, and leaves out what there is not', async () => {
    gateway.auth.answers.getSsoRealm = async () => ({
      ...nowhere,
      issuer: 'https://realm.example.org',
      clientId: 'tally',
      authorizationEndpoint: 'https://realm.example.org/auth',
    });
    expect((await gateway.send('GET', '/auth/sso', anonymous)).body.sso).toEqual({
      issuer: 'https://realm.example.org',
      client_id: 'tally',
      authorization_endpoint: 'https://realm.example.org/auth',
    });
    gateway.auth.answers.getSsoRealm = async () => ({ ...nowhere, issuer: '' });
    expect((await gateway.send('GET', '/auth/sso', anonymous)).body.sso).toBeNull();
  });

  it('500: the realm cannot be asked', async () => {
    gateway.auth.answers.getSsoRealm = refuse('SSO_REALM_UNAVAILABLE', 'INTERNAL');
    expect((await gateway.send('GET', '/auth/sso', anonymous)).status).toBe(500);
  });
});

describe('POST /auth/sso/code', () => {
  const json = {
    code: 'of-the-realm',
    code_verifier: 'v'.repeat(43),
    redirect_uri: 'https://tally.example.org/console/sso',
    nonce: 'n'.repeat(22),
  };
  const send = (change = {}) => gateway.send('POST', '/auth/sso/code', { ...anonymous, json: { ...json, ...change } });

  it('202: gives the session of whoever the code is for', async () => {
    gateway.auth.answers.createSsoSessionByCode = async () => ({ session });
    const reply = await send();
    expect(reply.status).toBe(202);
    expect(reply.headers.getSetCookie()).toHaveLength(2);
    expect(gateway.auth.calls.find(({ rpc }) => rpc === 'createSsoSessionByCode')?.request).toEqual({
      code: 'of-the-realm',
      codeVerifier: json.code_verifier,
      redirectUri: json.redirect_uri,
      nonce: json.nonce,
      remoteAddress: '127.0.0.1',
    });
  });

  it('400: names what is not as it must be', async () => {
    for (const change of [{ code: '' }, { code_verifier: 'short' }, { redirect_uri: 'javascript:1' }, { nonce: 'x' }]) {
      const reply = await send(change);
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field: Object.keys(change)[0] }]]);
    }
  });

  it.each([
    ['SSO_CODE_INVALID', 'UNAUTHENTICATED', 401],
    ['SSO_DISABLED', 'PERMISSION_DENIED', 403],
    ['SSO_USERNAME_TAKEN', 'ALREADY_EXISTS', 409],
    ['SSO_REALM_UNAVAILABLE', 'UNAVAILABLE', 500],
  ] as const)('%s is %s, %d', async (reason, status, expected) => {
    gateway.auth.answers.createSsoSessionByCode = refuse(reason, status);
    expect((await send()).status).toBe(expected);
  });
});

describe('POST /auth/password-reset', () => {
  const send = (json: object) => gateway.send('POST', '/auth/password-reset', { ...anonymous, json });

  it('202: says the same of every name', async () => {
    gateway.auth.answers.requestPasswordReset = async () => ({});
    const reply = await send({ username: 'ada' });
    expect([reply.status, reply.body]).toEqual([
      202,
      { message: 'If there is such a user with a confirmed address, a link is on its way' },
    ]);
    const call = gateway.auth.calls.find(({ rpc }) => rpc === 'requestPasswordReset');
    expect(call?.request).toEqual({ username: 'ada', remoteAddress: '127.0.0.1' });
  });

  it('400: there is no name, or this deployment sends no mail', async () => {
    expect((await send({})).body.errors).toMatchObject([{ field: 'username' }]);
    gateway.auth.answers.requestPasswordReset = refuse('MAIL_DISABLED', 'FAILED_PRECONDITION');
    expect((await send({ username: 'ada' })).status).toBe(400);
  });

  it('429: passes on how long to wait', async () => {
    gateway.auth.answers.requestPasswordReset = refuse('THROTTLED', 'RESOURCE_EXHAUSTED', { retryAfterMs: 2_000 });
    const reply = await send({ username: 'ada' });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '2']);
  });
});

describe('POST /auth/email/confirm', () => {
  const send = (json: object) => gateway.send('POST', '/auth/email/confirm', { ...anonymous, json });

  it('200: tells the address', async () => {
    gateway.auth.answers.confirmEmail = async () => ({ email: 'ada@example.org' });
    expect((await send({ token: 't' })).body).toEqual({ message: 'Address confirmed', email: 'ada@example.org' });
  });

  it('400, 429: refuses a link', async () => {
    expect((await send({ token: '' })).status).toBe(400);
    gateway.auth.answers.confirmEmail = refuse('LINK_INVALID', 'FAILED_PRECONDITION');
    expect((await send({ token: 't' })).status).toBe(400);
    gateway.auth.answers.confirmEmail = refuse('THROTTLED', 'RESOURCE_EXHAUSTED');
    expect((await send({ token: 't' })).status).toBe(429);
  });
});

describe('GET, PUT /user/email', () => {
  it('200, 202: tell and change the address of the acting user', async () => {
    gateway.auth.answers.getEmail = async () => ({ isMailing: true });
    const none = await gateway.send('GET', '/user/email');
    expect(none.body).toEqual({ message: 'E-mail address', email: null, mail_available: true });
    gateway.auth.answers.getEmail = async () => ({ email: 'ada@example.org', isMailing: true });
    expect((await gateway.send('GET', '/user/email')).body.email).toBe('ada@example.org');
    gateway.auth.answers.updateEmail = async () => ({});
    const reply = await gateway.send('PUT', '/user/email', { json: { email: 'ada@example.org' } });
    expect(reply.status).toBe(202);
    expect(gateway.auth.calls.findLast(({ rpc }) => rpc === 'updateEmail')).toMatchObject({
      request: { email: 'ada@example.org' },
      context: { userId: 7n },
    });
  });

  it.each([
    ['FIELDS_INVALID', 'INVALID_ARGUMENT', 400],
    ['MAIL_DISABLED', 'FAILED_PRECONDITION', 400],
    ['USER_NOT_FOUND', 'NOT_FOUND', 404],
    ['THROTTLED', 'RESOURCE_EXHAUSTED', 429],
  ] as const)('%s is %s, %d', async (reason, status, expected) => {
    gateway.auth.answers.updateEmail = refuse(reason, status);
    expect((await gateway.send('PUT', '/user/email', { json: { email: 'x' } })).status).toBe(expected);
    expect((await gateway.send('PUT', '/user/email', { json: {} })).status).toBe(400);
  });
});

describe('POST /auth/password-reset/confirm', () => {
  const json = { token: 't'.repeat(43), new_password: 'staple of the battery' };
  const send = (change = {}) =>
    gateway.send('POST', '/auth/password-reset/confirm', { ...anonymous, json: { ...json, ...change } });

  it('200: passes on the token, the password and the address of the client', async () => {
    gateway.auth.answers.confirmPasswordReset = async () => ({});
    expect((await send()).status).toBe(200);
    expect(gateway.auth.calls.find(({ rpc }) => rpc === 'confirmPasswordReset')?.request).toEqual({
      token: json.token,
      newPassword: json.new_password,
      remoteAddress: '127.0.0.1',
    });
  });

  it('400: names a field that is not as it must be', async () => {
    for (const change of [{ token: '' }, { token: 'x'.repeat(129) }, { new_password: '' }]) {
      const reply = await send(change);
      expect([reply.status, reply.body.errors]).toMatchObject([400, [{ field: Object.keys(change)[0] }]]);
    }
  });

  it.each([
    ['LINK_INVALID', 'FAILED_PRECONDITION', 400],
    ['THROTTLED', 'RESOURCE_EXHAUSTED', 429],
  ] as const)('%s is %s, %d', async (reason, status, expected) => {
    gateway.auth.answers.confirmPasswordReset = refuse(reason, status);
    expect((await send()).status).toBe(expected);
  });
});

describe('POST /user/update', () => {
  it('200: passes on what changes, for the acting user and session', async () => {
    gateway.auth.answers.updateUser = async () => ({ user });
    const json = { display_name: 'Ada L.', current_password: 'old password', new_password: 'new password' };
    expect((await gateway.send('POST', '/user/update', { json })).status).toBe(200);
    const call = gateway.auth.calls.find(({ rpc }) => rpc === 'updateUser');
    expect(call?.request).toEqual({
      displayName: 'Ada L.',
      currentPassword: 'old password',
      newPassword: 'new password',
      sessionId: 'session-1',
    });
    expect(call?.context?.userId).toBe(7n);
  });

  it.each([
    ['nothing to change', {}],
    ['only the current password', { current_password: 'x' }],
    ['an unknown key', { display_name: 'A', admin: true }],
    ['a new password without the current one', { new_password: 'long enough' }],
    ['a display name that is too long', { display_name: 'x'.repeat(129) }],
    ['a display name of two lines', { display_name: 'a\nb' }],
  ])('400: %s', async (_name, json) => {
    const reply = await gateway.send('POST', '/user/update', { json });
    expect([reply.status, reply.body.code]).toEqual([400, 'REQUEST_INVALID']);
  });

  it('401: the current password is wrong; 400: a single sign-on user has none', async () => {
    const json = { current_password: 'wrong', new_password: 'long enough' };
    gateway.auth.answers.updateUser = refuse('CREDENTIALS_INVALID', 'UNAUTHENTICATED');
    expect((await gateway.send('POST', '/user/update', { json })).status).toBe(401);
    gateway.auth.answers.updateUser = refuse('PASSWORD_NOT_OURS', 'FAILED_PRECONDITION');
    expect((await gateway.send('POST', '/user/update', { json })).status).toBe(400);
  });
});
