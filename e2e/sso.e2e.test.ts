import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CertificateProxy, type OidcProvider, startCertificateProxy, startOidcProvider } from '@tally/testkit';
import { exampleProject, startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

let realm: OidcProvider;
let proxy: CertificateProxy;
let suite: TestSuite;
beforeAll(async () => {
  realm = await startOidcProvider();
  proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
  const auth = {
    AUTH_SSO_ISSUER_URL: realm.issuer,
    AUTH_SSO_AUDIENCE: realm.audience,
    AUTH_CERT_PROXY_URL: proxy.url,
  };
  suite = await startTestSuite({ runners: 0, env: { auth } });
});
afterAll(async () => {
  await suite?.stop();
  await proxy?.stop();
  await realm?.stop();
});

async function loginAs(username: string, body: Record<string, unknown> = {}) {
  const session = suite.newSession();
  const { accessToken } = await realm.login(username);
  const answer = await session.send('POST', '/auth/sso', { body: { sso_token: accessToken, ...body } });
  return { session, answer };
}

describe('single sign-on', () => {
  it('opens a session under the name in the token, with a token pair', async () => {
    const { session, answer } = await loginAs('maria');
    expect(answer.status).toBe(202);
    expect(answer.body).toHaveProperty('access_exp');
    expect([...session.cookies.keys()].sort()).toEqual(['access_token', 'refresh_token']);
    expect(await session.call('GET', '/auth/status')).toMatchObject({ username: 'maria', source: 'sso' });
    expect(await session.call('GET', '/auth/refresh')).toHaveProperty('access_exp');
    expect(proxy.requestCount()).toBeGreaterThan(0);
  });

  it('takes no notice of a user name in the body', async () => {
    const { session } = await loginAs('eve', { username: 'maria', preferred_username: 'maria', sub: 'maria' });
    expect(await session.call('GET', '/auth/status')).toMatchObject({ username: 'eve' });
  });

  it('keeps a local user of the same name apart', async () => {
    const local = suite.newSession();
    await local.call('PUT', '/auth/register', { username: 'maria', password: 'a local password' });
    await local.call('POST', '/auth/login', { username: 'maria', password: 'a local password' });
    expect(await local.call('GET', '/auth/status')).toMatchObject({ username: 'maria', source: 'local' });
    expect((await local.send('GET', '/clusters')).status).toBe(403);
    const { session } = await loginAs('maria');
    expect((await session.send('GET', '/clusters')).status).toBe(200);
  });

  it('does not open a batch platform where there is no cluster', async () => {
    const { session } = await loginAs('maria');
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: exampleProject('proton-150mev-water') };
    for (const batch_options of [undefined, { cluster_name: 'north' }]) {
      const answer = await session.send('POST', '/jobs/batch', { body: { ...body, batch_options } });
      expect([answer.status, answer.body.code]).toEqual([501, 'BATCH_UNIMPLEMENTED']);
    }
    expect((await session.call('GET', '/clusters')).clusters).toEqual([]);
  });

  it('gives access tokens of half an hour, a local user ones of ten minutes', async () => {
    const minutesOf = ({ access_exp }: Record<string, unknown>) =>
      Math.round((Date.parse(String(access_exp)) - Date.now()) / 60_000);
    const { session, answer } = await loginAs('maria');
    expect(minutesOf(answer.body)).toBe(30);
    expect(minutesOf(await session.call('GET', '/auth/refresh'))).toBe(30);
    const local = await suite.newUser();
    expect(minutesOf(await local.call('GET', '/auth/refresh'))).toBe(10);
  });

  it('refuses a token that the realm did not sign, and says no more', async () => {
    const session = suite.newSession();
    const { accessToken } = await realm.login('maria');
    const forged = `${accessToken.slice(0, -8)}AAAAAAAA`;
    const answer = await session.send('POST', '/auth/sso', { body: { sso_token: forged } });
    expect(answer.status).toBe(401);
    expect(session.cookies.size).toBe(0);
  });

  it('ends with DELETE /auth/sso, for both tokens', async () => {
    const { session } = await loginAs('tom');
    const kept = new Map(session.cookies);
    expect(await session.call('DELETE', '/auth/sso')).toHaveProperty('message');
    expect(session.cookies.size).toBe(0);
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await session.send('GET', '/auth/refresh', { headers: { cookie } })).status).toBe(401);
  });

  it('lets a user in when the certificate proxy is down', async () => {
    await proxy.stop();
    const { session, answer } = await loginAs('nora');
    expect(answer.status).toBe(202);
    expect(await session.call('GET', '/auth/status')).toMatchObject({ username: 'nora' });
  });

  it('answers 500 when the realm is down and its keys are not known', async () => {
    const token = realm.sign({ preferred_username: 'maria' }, { kid: 'not-seen-yet' });
    await realm.stop();
    const session = suite.newSession();
    await suite.process('auth').stop();
    await suite.process('auth').start();
    const answer = await session.send('POST', '/auth/sso', { body: { sso_token: token } });
    expect([answer.status, answer.body.code]).toEqual([500, 'SSO_REALM_UNAVAILABLE']);
  });
});
