import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CertificateProxy,
  findChromium,
  type OidcProvider,
  startCertificateProxy,
  startOidcProvider,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, seriousFaults, visit } from './console/browser.js';
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
    AUTH_SSO_CLIENT_ID: realm.clientId,
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

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';

(reason === '' ? describe : describe.skip)(`single sign-on in Chromium${reason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  async function nameAtRealm(page: Page, username: string): Promise<void> {
    await page.getByLabel('Name at the realm').fill(username);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('goes to the realm and comes back to the page that was wanted, asking no other host itself', async () => {
    const { page, faults } = await visit(browser);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch' && !request.url().startsWith(suite.gatewayUrl)) asked.push(request.url());
    });
    await page.goto(`${suite.gatewayUrl}/console/account`);
    const leave = page.getByRole('button', { name: `Sign in through ${new URL(realm.issuer).host}` });
    await leave.waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await leave.click();
    await nameAtRealm(page, 'erika');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    expect(page.url()).toBe(`${suite.gatewayUrl}/console/account`);
    await page.getByRole('button', { name: 'erika' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect([faults, asked]).toEqual([[], []]);
  }, 120_000);

  it('takes no answer of a realm that this tab did not ask for', async () => {
    const { page, context } = await visit(browser);
    const { code } = await realm.beginLogin('mallory');
    await page.goto(`${suite.gatewayUrl}/console/sso?code=${code}&state=guessed`);
    await page.getByText('This tab did not ask for that sign-in').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await context.cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.getByLabel('User name').waitFor();
  }, 120_000);

  it('signs the command tally in by a code that is entered in the browser', async () => {
    const program = path.join(workspaceRoot(), 'packages/cli/dist/src/bin/tally.js');
    const env = { PATH: process.env.PATH, HOME: path.join(suite.directory, 'home'), TALLY_URL: suite.gatewayUrl };
    const child = spawn(process.execPath, [program, 'login', '--sso', '--json'], { env });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    await waitFor(() => out.stderr.includes('enter the code'), { what: 'the code' });
    const { page } = await visit(browser);
    await page.goto(/Open (\S+)/.exec(out.stderr)?.[1] ?? '');
    await page.getByRole('button').first().click(); // the realm shows the code once more
    await nameAtRealm(page, 'erika');
    expect([await closed, out.stderr.includes('tally:')]).toEqual([0, false]);
    expect(JSON.parse(out.stdout)).toMatchObject({ username: 'erika' });
  }, 120_000);
});

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
