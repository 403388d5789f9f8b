import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from '@tally/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
/** CSDA ranges of protons in water, cm (PSTAR). */
const RANGES_CM = { 70: 4.075, 110: 9.14, 150: 15.77, 190: 23.69, 230: 32.91 } as const;
const ENERGIES = Object.keys(RANGES_CM);
const ACTIONS_MAX = 40;
const MINUTES_MAX = 5;

(reason === '' ? describe : describe.skip)(`sweeps in the console${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  let actions = 0;
  const click = async (place: Locator) => {
    actions += 1;
    await place.click();
  };
  const fill = async (label: string, text: string) => {
    actions += 1;
    await page.getByLabel(label).fill(text);
  };
  const picture = (name: string, fullPage = false) =>
    page.screenshot({
      path: path.join(process.env.TALLY_PICTURES ?? suite.directory, `console-${name}.png`),
      animations: 'disabled',
      fullPage,
    });
  const readingAt = async (energy: string, name: string) =>
    (await page.locator(`[data-value="${energy}"] [data-reading=${name}]`).textContent()) ?? '';

  beforeAll(async () => {
    suite = await startTestSuite();
    await suite.newUser();
    browser = await openBrowser();
    ({ page, faults } = await visit(browser, { width: 1280, height: 1000 }));
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('lead from a blank page to a table of ranges of 70–230 MeV with a fit, without a file', async () => {
    const began = Date.now();
    await click(page.getByRole('link', { name: 'Sweeps' }).first());
    await page.getByText('No sweeps yet').waitFor();
    await click(page.getByRole('link', { name: 'New sweep' }));
    await click(page.getByRole('link', { name: /Pencil beam in a water tank/ }));
    await fill('Values / MeV', '70:230:10x');
    await page.getByText('A range is from:to:step').waitFor();
    await fill('Values / MeV', '70:270:40');
    await page.getByText(/must be 70 to 230 MeV, not 2\d\d/).waitFor();
    await fill('Values / MeV', '70:230:40');
    await page.getByText('5 jobs: 70, 110, …, 230 MeV').waitFor();
    await fill('Primaries', '1000');
    expect(await seriousFaults(page)).toEqual([]);
    await picture('new-sweep');
    await click(page.getByRole('button', { name: 'Submit 5 jobs' }));
    await page.locator('[data-ended="5"]').waitFor({ timeout: MINUTES_MAX * 60_000 });
    await page.locator('[data-value="230"] [data-reading=R80]', { hasText: '±' }).waitFor();
    await click(page.getByRole('combobox', { name: 'Fit' }));
    await click(page.getByRole('option', { name: 'Power law' }));
    const fitted = (await page.locator('[data-fit=power]').textContent()) ?? '';
    const minutes = (Date.now() - began) / 60_000;
    process.stdout.write(`a range table: ${actions} actions, ${minutes.toFixed(1)} min; ${fitted}\n`);
    expect(actions).toBeLessThanOrEqual(ACTIONS_MAX);
    for (const [energy, range] of Object.entries(RANGES_CM)) {
      const r80 = Number.parseFloat(await readingAt(energy, 'R80'));
      expect([energy, Math.abs(r80 - range) < 0.02 * range]).toEqual([energy, true]);
    }
    const [, p = ''] = /p = ([\d.]+)/.exec(fitted) ?? [];
    expect(Number(p)).toBeGreaterThan(1.7); // 1.77 (Bortfeld 1997)
    expect(Number(p)).toBeLessThan(1.82);
    expect(await seriousFaults(page)).toEqual([]);
    await picture('sweep', true);
  });

  it('give their table as CSV and their pictures as figures, and keep the view in the address', async () => {
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Table as CSV' }).click(),
    ]);
    const lines = readFileSync(await table.path(), 'utf8').split('\n');
    const header = lines.find((line) => line.startsWith('energy')) ?? '';
    expect(header).toMatch(/^energy \/ MeV,.*R80 \/ cm,error of R80,/);
    expect(lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',')[0])).toEqual(ENERGIES);
    await page.getByRole('button', { name: 'Figure: Curves' }).click();
    await page.locator('[data-preview] [data-legend]').waitFor();
    expect(await page.locator('[data-preview] [data-legend] text').allTextContents()).toEqual(
      ENERGIES.map((energy) => `${energy} MeV`),
    );
    await page.keyboard.press('Escape');
    const fitted = await page.locator('[data-fit=power]').textContent();
    await page.reload();
    expect(await page.locator('[data-fit=power]').textContent()).toBe(fitted);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of [
        [390, 844],
        [2560, 1440],
        [1280, 1000],
      ] as const) {
        await page.setViewportSize({ width, height });
        const tooWide = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([colorScheme, width, tooWide]).toEqual([colorScheme, width, 0]);
        await picture(`sweep-${colorScheme}-${width}`);
      }
    }
  });

  it('are found again, by title and parameter, from the keyboard', async () => {
    await page.goto(`${suite.gatewayUrl}/console/`);
    await page.getByRole('table', { name: 'Jobs' }).waitFor();
    expect(await page.title()).toBe('Jobs – Tally');
    await page.keyboard.press('/');
    await page.keyboard.type('energy = 70');
    await page.getByText('1 job', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('energy = 70');
    await page.keyboard.press('Tab');
    await page.locator('body').click({ position: { x: 5, y: 300 } });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    const sweep = page.locator('[data-sweep]');
    await sweep.getByText('5 ended').waitFor();
    await sweep.getByRole('link').click();
    await page.locator('[data-value="70"] [data-reading=R80]', { hasText: '±' }).waitFor();
    await page.goBack();
    await sweep.waitFor();
    expect(faults).toEqual([]);
  });
});
