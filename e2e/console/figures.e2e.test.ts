import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { projectWithCube } from '../fixtures/project-with-cube.js';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, placeOf, seriousFaults, signIn, visit } from './browser.js';
import { type PdfText, readPdf } from './pdf.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const WIDTHS = [
  [390, 844],
  [1280, 860],
  [2560, 1440],
] as const;
/** Widths of one and of two columns, in points. */
const COLUMNS = { one: (85 * 72) / 25.4, two: (175 * 72) / 25.4 };

(reason === '' ? describe : describe.skip)(`figures for a paper${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  let [jobId, otherId] = ['', ''];
  const open = async (query: string) => {
    await page.goto(`${suite.gatewayUrl}/console/jobs/${jobId}/results?${query}`);
    await page.locator('[data-drawn=true]').first().waitFor();
  };
  const folder = () => process.env.TALLY_PICTURES ?? suite.directory;
  const picture = (name: string) =>
    page.screenshot({ path: path.join(folder(), `console-${name}.png`), animations: 'disabled' });
  const plot = () => page.locator('[data-drawn=true]').first();
  const textsOf = (axis: string): Promise<string[]> => plot().locator(`[data-axis=${axis}] text`).allTextContents();
  const search = () => new URL(page.url()).searchParams;

  /** Saves the open figure in a format. */
  async function save(format: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: format, exact: true }).click(),
    ]);
    const bytes = readFileSync(await download.path());
    const name = download.suggestedFilename();
    writeFileSync(path.join(folder(), name), bytes);
    return { name, bytes };
  }

  beforeAll(async () => {
    suite = await startTestSuite();
    const user = await suite.newUser();
    jobId = await submit(user, { project: projectWithCube(4_000), ntasks: 4 });
    const other = exampleProject('proton-150mev-water', 4_000) as ReturnType<typeof exampleProject> & {
      beam: { energy: number };
    };
    other.beam.energy = 148;
    otherId = await submit(user, { project: other, ntasks: 4 });
    await ended(user, jobId);
    await ended(user, otherId);
    browser = await openBrowser();
    ({ page, faults } = await visit(browser));
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page);
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('name quantity and unit on both axes, and tell value ± error anywhere along a curve, by pointer and by keys', async () => {
    await open('estimator=depth_dose');
    expect(await textsOf('x')).toContain('z / cm');
    expect((await textsOf('y')).some((text) => /^Dose \/ \(MeV\/g per primary\)$/.test(text))).toBe(true);
    expect((await page.content()).includes('#times')).toBe(false);
    const { x, y, width, height } = await placeOf(plot().locator('[data-surface]'));
    const values = page.locator('[data-values]').first();
    for (const share of [0.3, 0.31, 0.6]) {
      await page.mouse.move(x + share * width, y + 0.1 * height); // far from the curve
      await values.getByText(/^z = [\d.]+ cm$/).waitFor();
      await values.getByText(/[\d.]+ ± [\d.]+\)?(?:×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)? MeV\/g per primary$/).waitFor();
    }
    await picture('hover');
    const first = await values.textContent();
    await plot().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await waitFor(async () => (await values.textContent()) !== first, { what: 'the next bin' });
    await page.keyboard.press('Escape');
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('keep their view in the address: band, axis, zoom, levels; a reload shows the same', async () => {
    await open('estimator=depth_dose');
    const { x, y, width, height } = await placeOf(plot().locator('[data-surface]'));
    await page.mouse.move(x + 0.6 * width, y + 0.5 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.9 * width, y + 0.52 * height, { steps: 4 });
    await page.mouse.up();
    await waitFor(() => search().get('zoom') !== null, { what: 'the zoom in the address' });
    await page.getByRole('switch', { name: 'Error band' }).uncheck({ force: true });
    await waitFor(() => search().get('band') === 'false', { what: 'the band in the address' });
    await page.getByRole('button', { name: 'Ranges and levels' }).click();
    await page.getByRole('textbox', { name: 'Levels' }).fill('50 %');
    await plot().locator('[data-level="50 %"]').waitFor({ state: 'attached' });
    const before = await textsOf('x');
    await page.reload();
    await plot().locator('[data-level="50 %"]').waitFor({ state: 'attached' });
    expect(await textsOf('x')).toEqual(before);
    expect(await plot().locator('[data-band]').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await waitFor(() => search().get('zoom') === null, { what: 'the whole curve' });
    await page.getByRole('button', { name: 'Ranges and levels' }).click();
    await page.getByLabel('z, from').fill('14');
    await waitFor(() => search().get('zoom')?.startsWith('14,') === true, { what: 'the range by hand' });
  });

  it('are saved as they are seen, in the size of a column with text of 8 pt: PDF, SVG, PNG, their numbers, and JSON for ROOT', async () => {
    await open(`estimator=depth_dose&with=${otherId}&zoom=${encodeURIComponent('14,17')}`);
    await page.locator('[data-differences] [data-band]').waitFor();
    await page.getByRole('button', { name: 'Figure', exact: true }).click();
    const preview = page.locator('[data-preview] svg');
    await preview.locator('[data-legend]').waitFor();
    const legend = await preview.locator('[data-legend] text').allTextContents();
    expect(legend.every((text) => text.length < 45)).toBe(true); // what differs, and nothing else
    await page.getByLabel('Title of the figure').fill('Distal edge, 10⁻³ and µ');
    expect(await seriousFaults(page)).toEqual([]);
    await picture('figure');
    const pdf = await save('PDF');
    expect(pdf.name).toBe(`${jobId}_depth_dose_Dose.pdf`);
    const drawn = await readPdf(pdf.bytes);
    expect(drawn.width).toBeCloseTo(COLUMNS.one, 1);
    const wordsAt8 = drawn.texts.filter(({ size }) => Math.abs(size - 8) < 0.01).map(({ text }) => text);
    expect(drawn.texts.every(({ size }) => size <= 8.01 && size >= 5.5)).toBe(true); // powers are smaller
    expect(wordsAt8).toEqual(expect.arrayContaining(['z / cm', '14', '17']));
    expect(drawn.texts.map(({ text }) => text).join('')).toContain('Distal edge');
    expect(drawn.fonts).toEqual(expect.arrayContaining([expect.stringContaining('Arimo')]));
    await page.getByText('Two columns, 175 mm').click();
    expect((await readPdf((await save('PDF')).bytes)).width).toBeCloseTo(COLUMNS.two, 1);
    await page.getByText('One column, 85 mm').click();
    const svg = (await save('SVG')).bytes.toString();
    expect(svg).toMatch(/^<svg [^>]*width="85mm"/);
    expect(svg).toMatch(/font-size="8"/);
    const png = (await save('PNG')).bytes;
    expect([png.readUInt32BE(16), png.indexOf('pHYs')]).toEqual([Math.round((85 / 25.4) * 600), 37]);
    const csv = (await save('CSV')).bytes.toString().split('\n');
    expect(csv[0]).toBe(`# job: ${jobId}`);
    const rows = csv.filter((line) => /^[\d.]/.test(line)).map((line) => line.split(',').map(Number));
    expect(rows.every(([z = 0]) => z >= 14 && z <= 17)).toBe(true);
    expect(rows.every((row) => row.length === 5 && row.every(Number.isFinite))).toBe(true);
    expect(JSON.parse((await save('ROOT (JSON)')).bytes.toString())).toMatchObject({ _typename: 'TMultiGraph' });
    await page.keyboard.press('Escape');
  });

  it('of a plane are to scale, with colours by hand, levels as contours, and a map of the errors', async () => {
    await open('estimator=dose_map');
    const plane = page.locator('[data-plane]');
    await plane.waitFor();
    const { width, height } = await placeOf(plane);
    const [x, z] =
      (await plane.getAttribute('aria-label'))
        ?.match(/(\d+) × (\d+)/)
        ?.slice(1)
        .map(Number) ?? [];
    expect([x, z].every((count) => count !== undefined && count > 10)).toBe(true);
    await page.getByRole('switch', { name: 'Lengths to scale' }).waitFor();
    await page.getByRole('switch', { name: 'Lengths to scale' }).uncheck({ force: true });
    const ratio = async () => (await placeOf(plane)).width / (await placeOf(plane)).height;
    expect(Math.abs(width / height - 20 / 4)).toBeLessThan(0.1); // 20 cm of depth and 4 cm across, lying down
    await waitFor(async () => (await ratio()) < 4, { what: 'a plane that fills its room' });
    await page.getByRole('switch', { name: 'Lengths to scale' }).check({ force: true });
    await page.getByRole('button', { name: 'Ranges and levels' }).click();
    await page.getByRole('textbox', { name: 'Levels' }).fill('50 %, 90 %');
    await page.locator('[data-level="50 %"] path').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Figure', exact: true }).click();
    await page.locator('[data-preview] image').waitFor({ state: 'attached' });
    await picture('plane-figure');
    const drawn = await readPdf((await save('PDF')).bytes);
    expect(drawn.width).toBeCloseTo(COLUMNS.one, 1);
    expect(drawn.texts.map(({ text }: PdfText) => text)).toEqual(expect.arrayContaining(['x / cm', 'z / cm']));
    expect(drawn.imageCount).toBe(1);
    await save('SVG');
    await page.keyboard.press('Escape');
    await page.locator('label', { hasText: /^Errors$/ }).click();
    await page.getByText('Standard error of Dose / MeV/g/prim').waitFor();
    expect(search().get('shown')).toBe('errors');
    await picture('errors');
    expect(faults).toEqual([]);
  });

  it('can be read at every width, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [name, query] of [
        ['curves', `estimator=depth_dose&with=${otherId}`],
        ['map', `estimator=dose_map&log=true&levels=${encodeURIComponent('10 %, 50 %')}`],
      ] as const) {
        for (const [width, height] of WIDTHS) {
          await page.setViewportSize({ width, height });
          await open(query);
          const tooWide = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect([name, width, tooWide]).toEqual([name, width, 0]);
          await picture(`${name}-${colorScheme}-${width}`);
        }
      }
    }
    expect(await seriousFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
