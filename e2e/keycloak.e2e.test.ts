import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, findKeycloak, KEYCLOAK_ROLE, type Keycloak, startKeycloak, waitFor } from '@tally/testkit';
import type { Page } from 'playwright-core';
import { openBrowser, type Visit, visit } from './console/browser.js';
import { startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

const withKeycloak = findKeycloak() === undefined ? describe.skip : describe;

withKeycloak('single sign-on by a Keycloak', () => {
  let realm: Keycloak;
  let suite: TestSuite;
  beforeAll(async () => {
    const started = await startKeycloak();
    if (started === undefined) throw new Error('there is no Keycloak');
    realm = started;
    const auth = {
      AUTH_SSO_ISSUER_URL: realm.issuer,
      AUTH_SSO_AUDIENCE: realm.clientId,
      AUTH_SSO_CLIENT_ID: realm.clientId,
      AUTH_SSO_REQUIRED_CLAIM: `realm_access.roles=${KEYCLOAK_ROLE}`,
    };
    const bounds = { ssoKeysMaxAgeMs: 2_000, ssoKeysIntervalMinMs: 100 };
    suite = await startTestSuite({ runners: 0, env: { auth }, bounds: { auth: bounds } });
  }, 480_000);
  afterAll(async () => {
    await suite?.stop();
    await realm?.stop();
  });

  async function present(token: string) {
    const session = suite.newSession();
    const { status, body } = await session.send('POST', '/auth/sso', { body: { sso_token: token } });
    return { session, answer: [status, body.code] };
  }
  const ACCEPTED = [202, undefined];
  const REFUSED = [401, 'SSO_TOKEN_INVALID'];

  it('opens a session for a user with the role, which is refreshed and ended without Keycloak', async () => {
    const { accessToken } = await realm.login('maria');
    const { session, answer } = await present(accessToken);
    expect(answer).toEqual(ACCEPTED);
    expect(await session.call('GET', '/auth/status')).toMatchObject({ username: 'maria', source: 'sso' });
    expect(await session.call('GET', '/auth/refresh')).toHaveProperty('access_exp');
    await session.call('DELETE', '/auth/sso');
    expect((await session.send('GET', '/auth/status')).status).toBe(401);
  });

  it('refuses a user without the role, a token for another client, and tokens that are no access tokens', async () => {
    expect((await present((await realm.login('eve')).accessToken)).answer).toEqual([401, 'SSO_CLAIM_MISSING']);
    expect((await present((await realm.login('maria', 'other')).accessToken)).answer).toEqual(REFUSED);
    const { idToken, refreshToken } = await realm.login('maria');
    for (const token of [idToken, refreshToken]) expect((await present(token)).answer).toEqual(REFUSED);
  });

  it('takes refreshed tokens; who logs out at Keycloak gets no new ones', async () => {
    const first = await realm.login('tom');
    const second = await realm.refresh(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect((await present(second.accessToken)).answer).toEqual(ACCEPTED);
    await realm.logout(second.refreshToken);
    await expect(realm.refresh(second.refreshToken)).rejects.toThrow('invalid_grant');
  });

  (findChromium() === undefined ? it.skip : it)(
    'signs users of the console in on its own page, by PKCE in Chromium, and those without the role not',
    async () => {
      const browser = await openBrowser();
      const leave = (page: Page) =>
        page.getByRole('button', { name: `Sign in through ${new URL(realm.issuer).host}` }).click();
      const signIn = async ({ page }: Visit, username: string) => {
        await page.goto(`${suite.gatewayUrl}/console/account`);
        await leave(page);
        await page.locator('#username').fill(username);
        await page.locator('#password').fill(realm.password);
        await page.locator('#kc-login').click();
      };
      try {
        const maria = await visit(browser);
        await signIn(maria, 'maria');
        await maria.page.getByRole('heading', { name: 'Account' }).waitFor();
        expect(maria.page.url()).toBe(`${suite.gatewayUrl}/console/account`);
        await maria.page.getByRole('button', { name: 'maria' }).click();
        await maria.page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
        await leave(maria.page); // the session at the realm goes on: nothing is asked
        await maria.page.getByRole('button', { name: 'maria' }).waitFor();
        const eve = await visit(browser);
        await signIn(eve, 'eve');
        await eve.page.getByText('Your account is not entitled to use this service').waitFor();
        expect(new URL(eve.page.url()).search).toBe('');
        expect((await eve.context.cookies(suite.gatewayUrl)).filter(({ name }) => /token/.test(name))).toEqual([]);
        expect([maria.faults, eve.faults]).toEqual([[], []]);
      } finally {
        await browser.close();
      }
    },
  );

  it('follows a rotation of the signing key: the new one at once, the old one until it is taken away', async () => {
    const before = await realm.login('maria');
    expect((await present(before.accessToken)).answer).toEqual(ACCEPTED);
    await realm.admin.addSigningKey();
    const after = await realm.login('maria');
    expect((await present(after.accessToken)).answer).toEqual(ACCEPTED);
    expect((await present(before.accessToken)).answer).toEqual(ACCEPTED);
    await realm.admin.removeOldestSigningKey();
    const isRefused = async () => (await present(before.accessToken)).answer[0] === 401;
    await waitFor(isRefused, { what: 'the end of the old key' });
    expect((await present(after.accessToken)).answer).toEqual(ACCEPTED);
  });

  it('says that the realm is away while it restarts, keeps sessions, and goes on', async () => {
    const { accessToken } = await realm.login('maria');
    const { session } = await present(accessToken);
    await realm.halt();
    const isAway = async () => (await present(accessToken)).answer[1] === 'SSO_REALM_UNAVAILABLE';
    await waitFor(isAway, { what: 'the end of the keys that are known' });
    expect(await session.call('GET', '/auth/refresh')).toHaveProperty('access_exp');
    await realm.resume();
    expect((await present((await realm.login('maria')).accessToken)).answer).toEqual(ACCEPTED);
  }, 300_000);
});
