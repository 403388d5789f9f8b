import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import { startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

let suite: TestSuite;
beforeAll(async () => {
  suite = await startTestSuite({ runners: 0 });
});
afterAll(() => suite?.stop());

const status = async (session: HttpSession) => (await session.send('GET', '/auth/status')).status;

/** A session with the same cookies at another copy of the gateway. */
function at(address: string, session: HttpSession): HttpSession {
  const copy = suite.newSession(`http://${address}`);
  for (const [name, value] of session.cookies) copy.cookies.set(name, value);
  return copy;
}

describe('a session', () => {
  it('outlives a restart of every service', async () => {
    const user = await suite.newUser();
    for (const name of ['gateway', 'auth', 'jobs', 'results', 'batch-bridge']) {
      await suite.process(name).stop();
      await suite.process(name).start();
    }
    expect(await user.call('GET', '/auth/status')).toMatchObject({ username: 'user-1', source: 'local' });
    expect(await user.call('GET', '/auth/refresh')).toHaveProperty('access_exp');
    expect(await status(user)).toBe(200);
  }, 120_000);

  it('holds at every copy of gateway and auth, and ends at all of them within 5 s of the logout', async () => {
    await suite.addCopy('auth');
    const second = await suite.addCopy('gateway');
    const user = await suite.newUser();
    const elsewhere = at(second.address, user);
    expect(await status(elsewhere)).toBe(200);
    const refresh = at(second.address, user);
    const loggedOutAt = performance.now();
    await user.call('DELETE', '/auth/logout');
    await waitFor(async () => (await status(elsewhere)) === 401, { what: 'the end of the session' });
    expect(performance.now() - loggedOutAt).toBeLessThan(5_000);
    expect((await refresh.send('GET', '/auth/refresh')).status).toBe(401);
  });
});

describe('logging out', () => {
  const logout = async (cookie: string) => {
    const response = await fetch(`${suite.gatewayUrl}/auth/logout`, { method: 'DELETE', headers: { cookie } });
    return { status: response.status, cleared: response.headers.getSetCookie().map((text) => text.split(';')[0]) };
  };
  const CLEARED = ['access_token=', 'refresh_token='];

  it('takes the refresh token alone, or with an access token that is of no use any more', async () => {
    for (const access of [[], ['access_token=expired']]) {
      const user = await suite.newUser();
      const cookies = new Map(user.cookies);
      const refresh = `refresh_token=${cookies.get('refresh_token')}`;
      expect(await logout([...access, refresh].join('; '))).toEqual({ status: 200, cleared: CLEARED });
      expect((await user.send('GET', '/auth/refresh')).status).toBe(401);
      await waitFor(async () => (await status(user)) === 401, { what: 'the end of the session' });
      expect(await logout([...access, refresh].join('; '))).toEqual({ status: 401, cleared: CLEARED });
    }
    expect(await logout('')).toEqual({ status: 401, cleared: [] });
  });
});

describe('a local account', () => {
  it('is refused alike for an unknown user and a wrong password', async () => {
    const { username } = await (await suite.newUser()).call('GET', '/auth/status');
    const session = suite.newSession();
    const wrong = await session.send('POST', '/auth/login', { body: { username, password: 'not it, sorry' } });
    const unknown = await session.send('POST', '/auth/login', {
      body: { username: 'nobody', password: 'not it, sorry' },
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body.message).toBe(unknown.body.message);
    expect(wrong.body.code).toBe(unknown.body.code);
  });

  it('ends its other sessions when its password changes', async () => {
    const here = await suite.newUser();
    const { username } = await here.call<{ username: string }>('GET', '/auth/status');
    const there = suite.newSession();
    await there.call('POST', '/auth/login', { username, password: 'correct horse battery' });
    const change = { current_password: 'correct horse battery', new_password: 'staple of the battery' };
    expect(await here.call('POST', '/user/update', change)).toHaveProperty('message');
    await waitFor(async () => (await status(there)) === 401, {
      what: 'the end of the other session',
    });
    expect(await status(here)).toBe(200);
    const old = { username, password: 'correct horse battery' };
    expect((await there.send('POST', '/auth/login', { body: old })).status).toBe(401);
  });
});

describe('an API token', () => {
  it('runs a script without cookies, within its scopes, until it is ended', async () => {
    const second = await suite.addCopy('gateway');
    const user = await suite.newUser();
    const made = await user.call<{ token: string; token_id: string }>('POST', '/auth/tokens', {
      name: 'e2e',
      scopes: ['read'],
    });
    const script = suite.newSession(`http://${second.address}`);
    const headers = { authorization: `Bearer ${made.token}` };
    const answer = await script.send('GET', '/user/simulations', { headers });
    expect([answer.status, answer.body.simulations_count, script.cookies.size]).toEqual([200, 0, 0]);
    const refused = await script.send('POST', '/jobs/direct', { headers, body: {} });
    expect([refused.status, refused.body.code]).toEqual([403, 'TOKEN_SCOPE_MISSING']);
    await user.call('DELETE', `/auth/tokens?token_id=${made.token_id}`);
    await waitFor(async () => (await script.send('GET', '/auth/status', { headers })).status === 401, {
      what: 'the end of the token at the other copy',
    });
  });

  it('and all sessions are listed and ended by their user', async () => {
    const user = await suite.newUser();
    const { sessions } = await user.call<{ sessions: { is_current: boolean }[] }>('GET', '/auth/sessions');
    expect(sessions).toMatchObject([{ is_current: true }]);
    const { token } = await user.call<{ token: string }>('POST', '/auth/tokens', {
      name: 'bound',
      scopes: ['read'],
      ends_with_sessions: true,
    });
    await user.call('DELETE', '/auth/sessions');
    const headers = { authorization: `Bearer ${token}` };
    expect(await status(user)).toBe(401);
    await waitFor(async () => (await suite.newSession().send('GET', '/auth/status', { headers })).status === 401, {
      what: 'the end of the token',
    });
  });
});
