import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { dropFile, openBrowser, placeOf, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const ENERGY_MEV = 120;
/** CSDA range of such protons in water, cm (PSTAR). */
const RANGE_CM = 10.68;
const PRIMARIES = 20_000;

/** The numbers along an axis of the first drawing, which has none for a moment when it is drawn again. */
function axisNumbers(page: Page, axis: 'x' | 'y' = 'x'): Promise<number[]> {
  const texts = page.locator('[data-drawn=true]').first().locator(`[data-axis=${axis}] text`);
  const read = async () => {
    const numbers = (await texts.allTextContents()).filter((text) => /^[\d.]+$/.test(text)).map(Number);
    return numbers.length > 1 && numbers;
  };
  return waitFor(read, { what: `numbers along ${axis}` });
}

/** Whether an axis shows a part of what it showed. */
function isPart(numbers: readonly number[], whole: readonly number[]): boolean {
  const span = (all: readonly number[]) => Math.max(...all) - Math.min(...all);
  return span(numbers) < span(whole) / 2;
}

(reason === '' ? describe : describe.skip)(`somebody’s first curve${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;

  beforeAll(async () => {
    suite = await startTestSuite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('comes from the demo’s address to a zoomed depth dose with error band of a project of one’s own, in a few clicks', async () => {
    const user = await suite.newUser();
    const demo = await submit(user, { project: exampleProject('proton-150mev-water', 2_000), ntasks: 2 });
    await ended(user, demo);
    const { page, context, faults } = await visit(browser);
    let clicks = 0;
    const click = async (role: 'button' | 'link', name: string | RegExp) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };
    await page.goto(`${suite.gatewayUrl}/console/jobs/${demo}/results`); // as npm run demo prints it
    await signIn(page);
    clicks += 1;
    await page.locator('[data-drawn=true]').first().waitFor(); // the finished job
    await click('link', 'New job');
    const project = exampleProject('proton-150mev-water', PRIMARIES) as ReturnType<typeof exampleProject> & {
      beam: { energy: number };
    };
    project.beam.energy = ENERGY_MEV;
    const file = path.join(suite.directory, 'mine.json');
    writeFileSync(file, JSON.stringify(project));
    clicks += 1; // the project is drawn into the window
    await dropFile(page, context, file);
    await page.getByRole('button', { name: 'Submit', exact: true }).waitFor();
    const submitted = Date.now();
    await click('button', 'Submit');
    await click('link', /^Look at results/);
    await page.locator('[data-drawn=true]').first().waitFor();
    const firstMs = Date.now() - submitted;
    await page.getByText(new RegExp(`^${PRIMARIES.toLocaleString('en')} histories`)).waitFor();
    const wholeMs = Date.now() - submitted;
    await page.locator('[data-drawn=true]').first().waitFor();
    const r80 = Number.parseFloat((await page.locator('[data-reading=R80]').textContent()) ?? '');
    expect(Math.abs(r80 - RANGE_CM)).toBeLessThan(0.15);
    const before = await axisNumbers(page);
    const heights = await axisNumbers(page, 'y');
    expect(before.length).toBeGreaterThan(2);
    const { x, y, width, height } = await placeOf(page.locator('[data-drawn=true]').first().locator('[data-surface]'));
    clicks += 1; // around the peak
    await page.mouse.move(x + 0.45 * width, y + 0.2 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.5 * width, y + 0.22 * height, { steps: 4 });
    const band = page.getByRole('switch', { name: 'Error band' });
    await band.dispatchEvent('click'); // the curve changes in the middle, as it does while results grow
    await page.mouse.move(x + 0.6 * width, y + 0.25 * height, { steps: 4 });
    await page.mouse.up();
    const bands = () => page.locator('[data-drawn=true]').first().locator('[data-band]').count();
    const isZoomed = async (count: number) => isPart(await axisNumbers(page), before) && (await bands()) === count;
    await waitFor(() => isZoomed(0), { what: 'the part around the peak, without its band' });
    await band.dispatchEvent('click');
    await waitFor(() => isZoomed(1), { what: 'the same part with its band' });
    expect(isPart(await axisNumbers(page, 'y'), heights)).toBe(false); // a hand is never quite level
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    await page.screenshot({ path: path.join(folder, 'console-zoomed.png'), animations: 'disabled' });
    process.stdout.write(
      `a first curve: ${clicks} clicks and drags, ${firstMs} ms from Submit to the first curve, ${wholeMs} ms to all ${PRIMARIES} histories\n`,
    );
    expect(clicks).toBeLessThanOrEqual(6);
    expect(faults).toEqual([]);
  });
});
