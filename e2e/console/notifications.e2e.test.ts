import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, freePort, type MailServerUnderTest, startMailServer, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const NEW_PASSWORD = 'staple of the battery';
const ADDRESS = 'user-1@example.org';

(reason === '' ? describe : describe.skip)(`word when it is done, in the console${reason}`, () => {
  let suite: TestSuite;
  let mailServer: MailServerUnderTest;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  const picture = (name: string, fullPage = false) =>
    page.screenshot({
      path: path.join(process.env.TALLY_PICTURES ?? suite.directory, `console-${name}.png`),
      animations: 'disabled',
      fullPage,
    });
  const begin = async (password?: string) => {
    await signIn(page, 'user-1', password);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  };
  /** The link of the mail of this number, from 1. */
  const linkOf = async (number: number) => {
    await waitFor(() => mailServer.mails.length >= number, { what: `mail ${number}` });
    const text = mailServer.mails[number - 1]?.part('text/plain')?.toString() ?? '';
    return /https?:\/\/\S+\/console\/(?:email|password)#\S+/.exec(text)?.[0] ?? '';
  };

  beforeAll(async () => {
    mailServer = await startMailServer();
    const gatewayAddress = `127.0.0.1:${await freePort()}`;
    const auth = {
      AUTH_SMTP_HOST: '127.0.0.1',
      AUTH_SMTP_PORT: String(mailServer.port),
      AUTH_SMTP_SECURITY: 'none',
      AUTH_SMTP_FROM: 'Tally <tally@example.org>',
      AUTH_PUBLIC_URL: `http://${gatewayAddress}`,
    };
    suite = await startTestSuite({ gatewayAddress, env: { auth } });
    await suite.newUser();
    browser = await openBrowser();
    ({ page, faults } = await visit(browser, { width: 1280, height: 1000 }));
    await page.goto(`${suite.gatewayUrl}/console/`);
    await begin();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
    await mailServer?.stop();
  });

  it('an address is confirmed by a mailed link, and a sweep that has ended is one mail with its curves', async () => {
    await page.getByRole('link', { name: 'Account' }).first().click();
    const email = page.getByRole('region', { name: 'E-mail' });
    await email.getByLabel('Address').fill(ADDRESS);
    await email.getByRole('button', { name: 'Send a link to confirm it' }).click();
    await email.getByText('A link is on its way').waitFor();
    await page.goto(await linkOf(1));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText(`${ADDRESS} is your address now.`).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'To Tally' }).click();
    await page.getByRole('link', { name: 'Account' }).first().click();
    const wanted = page.getByRole('region', { name: 'What you want to be told' });
    const put = page.waitForResponse((response) => response.request().method() === 'PUT');
    await wanted.getByRole('checkbox').click();
    expect((await put).status()).toBe(200);
    await waitFor(() => wanted.getByRole('checkbox').isChecked(), { what: 'the subscription' });
    expect(await seriousFaults(page)).toEqual([]);
    await picture('account-notifications', true);

    await page.goto(`${suite.gatewayUrl}/console/sweeps/new?template=water-tank`);
    await page.getByLabel('Values / MeV').fill('110:150:20');
    await page.getByLabel('Primaries').fill('300');
    await page.getByRole('button', { name: 'Submit 3 jobs' }).click();
    await page.getByRole('button', { name: 'Tell me' }).click();
    await page.getByRole('button', { name: 'You will be told' }).waitFor();
    await picture('sweep-told');
    await page.locator('[data-ended="3"]').waitFor({ timeout: 400_000 });
    const mail = await waitFor(() => mailServer.mails[1], { what: 'the mail', timeoutMs: 120_000 });
    expect(mail.to).toEqual([ADDRESS]);
    expect(mail.header('Subject')).toMatch(/^Sweep .*: 3 completed$/);
    const png = mail.part('image/png') ?? Buffer.alloc(0);
    expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    writeFileSync(path.join(folder, 'mail-curves.png'), png);
    expect(mail.part('text/html')?.toString()).toContain('src="cid:curve"');
    expect(mail.part('text/plain')?.toString()).toContain('The 3 jobs of the sweep');
  }, 600_000);

  it('a forgotten password is set by a mailed link, which ends the session', async () => {
    const count = mailServer.mails.length; // no second mail of the sweep has come
    expect(count).toBe(2);
    await page.context().clearCookies();
    await page.goto(`${suite.gatewayUrl}/console/`);
    await page.getByRole('link', { name: 'I forgot my password' }).click();
    await page.getByLabel('User name').fill('user-1');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a link is on its way').waitFor();
    await page.goto(await linkOf(count + 1)); // in the same tab
    const fields = page.locator('input[autocomplete="new-password"]');
    await fields.nth(0).fill(NEW_PASSWORD);
    await fields.nth(1).fill(NEW_PASSWORD);
    expect(await seriousFaults(page)).toEqual([]);
    await picture('new-password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The password is set').waitFor();
    expect(page.url()).not.toContain('#');
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await begin(NEW_PASSWORD);
    expect(faults).toEqual([]);
  }, 120_000);
});
