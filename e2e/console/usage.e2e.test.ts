import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, type HttpSession, runStatement, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';

const HOUR_MS = 3_600_000;
/** Hours of processors on days of the month before, as the ledger has them. */
const LAST_MONTH = new Map([
  [3, 1.5],
  [4, 4],
  [11, 0.25],
  [17, 6],
  [18, 2.75],
  [26, 3],
]);

(reason === '' ? describe : describe.skip)(`the page of usage in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  let user: HttpSession;
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  const dayOf = (day: number) => `${month}-${String(day).padStart(2, '0')}`;
  const picture = (name: string) =>
    page.screenshot({ path: path.join(process.env.TALLY_PICTURES ?? suite.directory, name), animations: 'disabled' });
  /** What bars of the chart say, those that have a height. */
  const bars = async () => {
    const shown = [];
    for (const bar of await page.locator('svg[role=img] rect').all()) {
      const height = Number(await bar.getAttribute('height'));
      if (height > 0) shown.push({ words: (await bar.textContent()) ?? '', height });
    }
    return shown;
  };

  beforeAll(async () => {
    suite = await startTestSuite();
    user = await suite.newUser();
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 4_000), ntasks: 2 });
    await ended(user, jobId);
    const rows = [...LAST_MONTH].map(([day, hours]) => `('${dayOf(day)}'::date, ${hours * HOUR_MS})`);
    await runStatement(
      suite.databases.jobs,
      `INSERT INTO usage_entries (owner_id, day, cluster, cpu_ms)
       SELECT owner_id, day, '', cpu_ms FROM jobs CROSS JOIN (VALUES ${rows.join(', ')}) kept (day, cpu_ms)`,
    );
    browser = await openBrowser();
    ({ page, faults } = await visit(browser, { width: 1280, height: 900 }));
    await page.goto(`${suite.gatewayUrl}/console/usage`);
    await signIn(page);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('shows what was measured, to the second', async () => {
    await page.getByRole('img', { name: 'Processor time by day' }).waitFor();
    const { body } = await user.send('GET', '/usage');
    const seconds = Number(body.processor_seconds);
    expect(seconds).toBeGreaterThan(0);
    const words = seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${Math.round(seconds)} s`;
    await page.getByText(`${words} of processor time`).waitFor();
    expect((await bars()).map((bar) => bar.words)).toEqual([`${now.toISOString().slice(0, 10)}: ${words}`]);
  });

  it('shows another month, with bars as high as the figures, on any screen, light and dark', async () => {
    await page.getByRole('combobox', { name: 'Month' }).click();
    await page.getByRole('option', { name: month }).click();
    await page.getByText('17 h 30 min of processor time').waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const chart = page.getByRole('img', { name: 'Processor time by day' });
      await waitFor(async () => ((await chart.boundingBox())?.width ?? width) < width, {
        what: 'the chart in its place',
      });
      const shown = await bars();
      expect(shown.map((bar) => bar.words)).toEqual(
        [...LAST_MONTH].map(([day, hours]) => {
          const [whole, minutes] = [Math.floor(hours), Math.round((hours % 1) * 60)];
          const time = whole === 0 ? `${minutes} min 0 s` : `${whole} h ${minutes} min`;
          return `${dayOf(day)}: ${time}`;
        }),
      );
      const scale = (shown[3]?.height ?? 0) / 6;
      [...LAST_MONTH.values()].forEach((hours, i) => {
        expect(shown[i]?.height).toBeCloseTo(scale * hours, 3);
      });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFaults(page)).toEqual([]);
        await picture(
          width > 1_000 && colorScheme === 'light' ? 'console-usage.png' : `usage-${width}-${colorScheme}.png`,
        );
      }
    }
    expect(faults).toEqual([]);
  });
});
