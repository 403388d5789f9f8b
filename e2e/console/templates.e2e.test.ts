import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, type HttpSession, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, type Visit, visit } from './browser.js';

const SIZES = {
  small: { width: 390, height: 844 },
  usual: { width: 1280, height: 860 },
  large: { width: 2560, height: 1300 },
};
const reason = findChromium() === undefined ? ' (skipped: no Chromium; TALLY_INSTALL=1 npm test installs it)' : '';

(reason === '' ? describe : describe.skip)(`templates in the console${reason}`, () => {
  let suite: TestSuite;
  let user: HttpSession;
  let browser: Browser;
  let here: Visit;
  let page: Page;

  /** A picture of the page, to be looked at; `TALLY_PICTURES` is the folder. docs/pictures has some of them. */
  async function picture(name: string): Promise<void> {
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    await page.screenshot({ path: path.join(folder, `templates-${name}.png`), animations: 'disabled' });
  }
  const field = (label: string) => page.getByRole('textbox', { name: label });
  const slider = (label: string) => page.getByRole('slider', { name: label });

  beforeAll(async () => {
    suite = await startTestSuite();
    user = await suite.newUser();
    browser = await openBrowser();
    here = await visit(browser, SIZES.usual);
    page = here.page;
    await page.goto(`${suite.gatewayUrl}/console/new`);
    await signIn(page);
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('are cards with a picture, a title and what they teach', async () => {
    const cards = page.getByRole('list', { name: 'Templates' }).getByRole('listitem');
    await waitFor(async () => (await cards.count()) === 10, { what: 'ten cards' });
    await page.getByText('Bone stops protons more strongly than water').waitFor();
    const width = () =>
      cards
        .first()
        .locator('img')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await waitFor(async () => (await width()) > 0, { what: 'the first picture' });
    for (const [name, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await picture(`gallery-${name}`);
    }
    await page.setViewportSize(SIZES.usual);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('move what depends on a parameter, by keyboard, and as numbers; the title tells what was changed', async () => {
    await page.getByRole('link', { name: /Slab of bone in a water tank/ }).click();
    const thickness = slider('Thickness of the slab / cm');
    await thickness.focus();
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight');
    await waitFor(async () => (await field('Thickness of the slab / cm').inputValue()) === '3', { what: '3 cm' });
    await field('Energy of the beam / MeV').fill('160');
    await waitFor(async () => (await page.getByLabel('Beam energy / MeV').inputValue()) === '160', {
      what: 'the energy in the form',
    });
    await page.getByLabel('Beam energy / MeV').fill('150');
    await waitFor(async () => (await slider('Energy of the beam / MeV').getAttribute('aria-valuenow')) === '150', {
      what: 'the energy of the slider',
    });
    expect(await page.getByLabel('Title').inputValue()).toBe('Slab of bone in a water tank [thickness = 3 cm]');
    // a value out of range is marked, and changes nothing
    await field('Thickness of the slab / cm').fill('9');
    expect(await field('Thickness of the slab / cm').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Title').inputValue()).toBe('Slab of bone in a water tank [thickness = 3 cm]');
    await field('Thickness of the slab / cm').fill('3');
    await page.locator('canvas').waitFor();
    for (const [name, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await picture(`parameters-${name}`);
    }
    await page.setViewportSize(SIZES.usual);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('become jobs whose curve is what was promised', async () => {
    await page.getByLabel('Primaries').fill('8000');
    await page.getByLabel('Tasks').fill('2');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/jobs\/\d/);
    await page.locator('[data-state=COMPLETED]').waitFor();
    const { simulations } = await user.request('GET', '/user/simulations', { query: {} });
    expect(simulations[0]?.title).toBe('Slab of bone in a water tank [thickness = 3 cm]');
    await page.getByRole('link', { name: 'Look at results' }).click();
    await page.locator('[data-drawn=true]').first().waitFor();
    const r80 = Number.parseFloat((await page.locator('[data-reading=R80]').textContent()) ?? '');
    expect(r80).toBeGreaterThan(13.5); // 14.4 cm by default, 0.7 cm less for each further centimetre of bone
    expect(r80).toBeLessThan(13.9);
    await picture('result');
    expect(here.faults).toEqual([]);
  });

  it('say what is wrong with an address of no template, and offer the others', async () => {
    await page.goto(`${suite.gatewayUrl}/console/new?template=nothing`);
    await page.getByText('There is no such template').waitFor();
    await page.getByRole('link', { name: /Pencil beam in a water tank/ }).waitFor();
  });
});
