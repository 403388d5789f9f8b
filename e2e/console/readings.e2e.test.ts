import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { projectWithCube } from '../fixtures/project-with-cube.js';
import { ended, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const PRIMARIES = 2_000;
const TASKS = 8;

(reason === '' ? describe : describe.skip)(`what is read off results${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  let jobId: string;
  const open = async (query: string) => {
    await page.goto(`${suite.gatewayUrl}/console/jobs/${jobId}/results?${query}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? '';
  const valueOf = async () => Number.parseFloat((await textOf('[data-value]')).split(': ')[1] ?? '');

  beforeAll(async () => {
    suite = await startTestSuite();
    const user = await suite.newUser();
    jobId = await submit(user, { project: projectWithCube(PRIMARIES), ntasks: TASKS });
    await ended(user, jobId);
    browser = await openBrowser();
    ({ page, faults } = await visit(browser, { width: 1280, height: 1400 }));
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page);
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it.each(['light', 'dark'] as const)('shows readings with errors, units and definitions, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await open('estimator=depth_dose&page=1');
    await page.locator('[data-drawn=true]').first().waitFor();
    for (const name of ['R90', 'R80', 'R50', 'fall_off']) {
      expect(await textOf(`[data-reading=${name}]`)).toMatch(/^\d+\.\d+ ± \d+\.\d+ cm/);
      expect(await textOf(`[data-definition=${name}]`)).toContain('%');
    }
    expect(await seriousFaults(page)).toEqual([]);
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    await page.screenshot({
      path: path.join(folder, `console-readings-${colorScheme}.png`),
      animations: 'disabled',
      fullPage: true,
    });
  });

  it('shows a LET in the unit of choice, from how many histories it is, and no readings', async () => {
    await open('estimator=depth_dose&page=4');
    await page.getByText('dLET / MeV/cm').waitFor();
    expect(await page.locator('[data-reading]').count()).toBe(0);
    await page.getByLabel('Unit', { exact: true }).selectOption('keV/um');
    await page.getByText('dLET / keV/um').waitFor();
    await page.getByLabel('Effective histories').dispatchEvent('click');
    await page.locator('[data-histories] [data-drawn=true]').waitFor();
    await page.reload(); // the browser remembers the unit
    await page.getByText('dLET / keV/um').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('tells the value of a plane in the unit of choice, from its histories', async () => {
    await open('estimator=dose_map&page=1');
    await page.locator('[data-plane]').waitFor();
    const before = await valueOf();
    await page.getByLabel('Unit', { exact: true }).selectOption('Gy');
    await page.getByText('Dose / Gy/prim').waitFor();
    expect((await valueOf()) / before / 1.602176634e-10).toBeCloseTo(1, 2);
    await page.getByLabel('Effective histories').dispatchEvent('click');
    await page.getByText(/from [\d.e+]+ effective histories/).waitFor();
  });

  it('gives a dose as RT Dose of a number of primaries', async () => {
    await open('estimator=cube&page=1');
    await page.getByLabel('Primaries of the dose').fill('1000000');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'RT Dose' }).click(),
    ]);
    const bytes = readFileSync(await file.path());
    expect(bytes.subarray(128, 132).toString()).toBe('DICM');
    expect(bytes.includes('Dose, of 1000000 primaries')).toBe(true);
    expect(faults).toEqual([]);
  });
});
