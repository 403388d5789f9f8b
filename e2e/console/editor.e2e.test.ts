import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, waitFor } from '@tally/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { exampleProject, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, placeOf, seriousFaults, signIn, type Visit, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
/** What a newcomer may take for a task. */
const ACTIONS_MAX = 40;
const TASK_MS = 5 * 60_000;
const PRIMARIES = '4000';

/** A person at the page: clicks, texts and keys are counted. */
function person(page: Page) {
  let actions = 0;
  const started = Date.now();
  const act = async (doing: Promise<void>) => {
    actions += 1;
    await doing;
  };
  const field = (label: string, within: Page | Locator = page) => within.getByLabel(label, { exact: true });
  return {
    actions: () => actions,
    ms: () => Date.now() - started,
    press: (
      role: 'button' | 'link' | 'tab' | 'menuitem' | 'checkbox',
      name: string | RegExp,
      within: Page | Locator = page,
    ) => act(within.getByRole(role, { name, exact: true }).first().click()),
    type: (label: string, text: string, within: Page | Locator = page) => act(field(label, within).first().fill(text)),
    /** Opens a list and takes one of it: two clicks, and a text where it is searched. */
    async choose(label: string, option: string | RegExp, within: Page | Locator = page, search?: string) {
      await act(field(label, within).first().click());
      if (search !== undefined) await act(field(label, within).first().fill(search));
      await act(page.getByRole('option', { name: option }).first().click());
    },
  };
}

(reason === '' ? describe : describe.skip)(`the project editor in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let here: Visit;
  let page: Page;

  const go = (target: string, on: Page = page) => on.goto(`${suite.gatewayUrl}/console${target}`);
  const isReady = (on: Page = page) => on.locator('[data-check=fine]').waitFor();
  const isSaved = (on: Page = page) => on.locator('[data-saved=saved]').waitFor();
  async function picture(name: string, on: Page = page): Promise<void> {
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    await on.screenshot({ path: path.join(folder, `console-editor-${name}.png`), animations: 'disabled' });
  }
  const projectId = () => /projects\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  /** The project as the service keeps it. */
  const keptProject = () =>
    page.evaluate(
      async (id) =>
        (await fetch(`/projects/project?project_id=${id}`)).json() as Promise<{
          project: { beam: { energy: number } };
          revision: number;
        }>,
      projectId(),
    );
  /** From Submit to the results of all primaries. */
  async function submitAndLook(somebody: ReturnType<typeof person>): Promise<void> {
    await isReady();
    await somebody.press('button', 'Submit');
    await page.locator('[data-state=COMPLETED]').waitFor({ timeout: TASK_MS });
    await somebody.press('link', 'Look at results');
    await page.locator('[data-drawn=true]').first().waitFor();
  }
  const said = (name: string, somebody: ReturnType<typeof person>) =>
    process.stdout.write(`${name}: ${somebody.actions()} actions, ${Math.round(somebody.ms() / 1000)} s\n`);
  function expectEasy(name: string, somebody: ReturnType<typeof person>): void {
    said(name, somebody);
    expect(somebody.actions()).toBeLessThanOrEqual(ACTIONS_MAX);
    expect(somebody.ms()).toBeLessThan(TASK_MS);
  }
  const reading = async (name: string) =>
    Number.parseFloat((await page.locator(`[data-reading=${name}]`).first().textContent()) ?? '');

  beforeAll(async () => {
    suite = await startTestSuite();
    await suite.newUser();
    browser = await openBrowser();
    here = await visit(browser);
    page = here.page;
    await go('/');
    await signIn(page);
    await page.getByRole('link', { name: 'Projects' }).first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('leads from nothing to 120 MeV protons behind 2 cm of bone, with R80 ± its error', async () => {
    const newcomer = person(page);
    await newcomer.press('link', 'Projects');
    await newcomer.press('link', 'New project');
    await isReady();
    await newcomer.type('Energy', '120');
    await newcomer.press('tab', 'Geometry');
    await newcomer.press('button', 'Add a layer in front');
    const slab = page.locator('[data-layer="0"]');
    await newcomer.choose('Material', /^Bone compact icru/, slab, 'bone comp');
    await newcomer.type('Thickness', '2', slab);
    await isSaved();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('bone');
    await newcomer.type('Primaries', PRIMARIES);
    await submitAndLook(newcomer);
    const r80 = await reading('R80');
    // 10.68 cm in water (PSTAR), of which 2 cm of bone of 1.85 g/cm³ take about 3.4 cm
    expect(r80).toBeGreaterThan(8.6);
    expect(r80).toBeLessThan(9.9);
    expect(await page.locator('[data-reading=R80]').first().textContent()).toMatch(/±/);
    await picture('bone-result');
    expectEasy('protons behind bone', newcomer);
  });

  it('leads to a lateral profile at 10 cm with its σ', async () => {
    const newcomer = person(page);
    await newcomer.press('link', 'Projects');
    await newcomer.press('link', 'New project');
    await isReady();
    await newcomer.press('tab', 'Detectors');
    await newcomer.press('button', 'Add a detector');
    await newcomer.press('menuitem', /^Lateral profile/);
    const center = page.getByRole('group', { name: 'Centre / cm' });
    await newcomer.type('z', '10', center);
    await isSaved();
    await picture('profile');
    await newcomer.type('Primaries', PRIMARIES);
    await submitAndLook(newcomer);
    await newcomer.press('button', /^lateral_profile/);
    await newcomer.press('button', /^Dose 100$/);
    await page.locator('[data-reading=sigma]').first().waitFor();
    const sigma = await reading('sigma');
    // 0.4 cm of the beam, and the scattering of 10 cm of water
    expect(sigma).toBeGreaterThan(0.4);
    expect(sigma).toBeLessThan(0.7);
    expectEasy('a lateral profile', newcomer);
  });

  it('leads to a spread-out peak from a pasted list of spots, whose faulty line is named', async () => {
    const newcomer = person(page);
    await newcomer.press('link', 'Projects');
    await newcomer.press('link', 'New project');
    await isReady();
    await page.getByText('List of spots').click();
    const spots = [
      [0.15, 1],
      [0.146, 0.38],
      [0.142, 0.28],
      [0.138, 0.22],
      [0.134, 0.19],
    ].map(([energy, weight]) => `${energy} 0 0 0.8 ${weight}`);
    await newcomer.type('Spots', [...spots.slice(0, 2), '0.142 0 zero 0.8 1', ...spots.slice(3)].join('\n'));
    await page.locator('[data-spot-fault="3"]').waitFor();
    await page.locator('[data-check=refused]').waitFor();
    await picture('spots-faulty');
    await newcomer.type('Spots', spots.join('\n'));
    await page.locator('[data-spot-count="5"]').waitFor();
    await isReady();
    expect(await page.locator('[data-spot-fault]').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture('spots');
    await newcomer.type('Primaries', PRIMARIES);
    await submitAndLook(newcomer);
    const r80 = await reading('R80');
    expect(Math.abs(r80 - 15.8)).toBeLessThan(0.5); // of 150 MeV in water (PSTAR)
    expectEasy('a spread-out peak', newcomer);
  });

  it('leads to a map of LET in a plane', async () => {
    const newcomer = person(page);
    await newcomer.press('link', 'Projects');
    await newcomer.press('link', 'New project');
    await isReady();
    await newcomer.press('tab', 'Detectors');
    await newcomer.press('button', 'Add a detector');
    await newcomer.press('menuitem', /^Plane/);
    await newcomer.press('tab', 'Results');
    await newcomer.press('button', /^plane/);
    await newcomer.choose('Quantity', /^LET, dose-averaged/);
    await isSaved();
    await picture('let');
    await newcomer.type('Primaries', '5000');
    await submitAndLook(newcomer);
    await newcomer.press('button', /^plane/);
    await newcomer.press('button', /^dLET/);
    await page.locator('canvas[data-plane]').waitFor();
    await page.getByText('MeV/cm').first().waitFor();
    await picture('let-result');
    expectEasy('a map of LET', newcomer);
  });

  it('says a problem at its place once, keeps a text that is no number, and takes back and forth', async () => {
    await go('/projects/new');
    await isReady();
    const energy = page.getByLabel('Energy', { exact: true });
    await energy.fill('-5');
    await page.locator('[data-check=refused]').waitFor();
    await page.getByText('must be more than 0').first().waitFor();
    expect(await page.getByText('must be more than 0').count()).toBe(1);
    await energy.fill('12o');
    await page.getByText('Not a number').waitFor();
    expect(await page.getByRole('button', { name: 'Submit', exact: true }).isDisabled()).toBe(true);
    await isSaved();
    await page.reload();
    await page.getByText('Not a number').waitFor();
    expect(await page.getByLabel('Energy', { exact: true }).inputValue()).toBe('12o');
    await page.getByLabel('Energy', { exact: true }).fill('130');
    await isReady();
    expect(await page.getByText('must be more than 0').count()).toBe(0);
    await page.getByLabel('Energy', { exact: true }).blur();
    await page.keyboard.press('Control+z');
    await waitFor(async () => (await page.getByLabel('Energy', { exact: true }).inputValue()) === '-5', {
      what: 'the value before',
    });
    await page.keyboard.press('Control+Shift+z');
    await isReady();
    await isSaved();
    expect((await keptProject()).project.beam.energy).toBe(130);
  });

  it('keeps what is typed in two tabs, and asks which of them holds', async () => {
    const other = await here.context.newPage();
    await other.goto(page.url());
    await isReady(other);
    await other.getByLabel('Energy', { exact: true }).fill('140');
    await isSaved(other);
    await page.getByLabel('Energy', { exact: true }).fill('135');
    await page.getByText('This project was changed elsewhere, too').waitFor();
    await page.getByText(/140/).first().waitFor();
    await picture('two-tabs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await isSaved();
    expect((await keptProject()).project.beam.energy).toBe(135);
    await other.close();
  });

  it('loses nothing while the service is away', async () => {
    await here.context.route('**/projects', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Energy', { exact: true }).fill('111');
    await page.locator('[data-saved=failed]').waitFor();
    await picture('away');
    await page.reload(); // what the service has not got is in the browser
    await waitFor(async () => (await page.getByLabel('Energy', { exact: true }).inputValue()) === '111', {
      what: 'what was typed',
    });
    await here.context.unroute('**/projects');
    await isSaved();
    expect((await keptProject()).project.beam.energy).toBe(111);
  });

  it('is read and used at every width and in both themes', async () => {
    for (const [width, height] of [
      [390, 844],
      [1280, 860],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const theme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
        for (const tab of ['Beam', 'Geometry', 'Detectors', 'Results']) {
          await page.getByRole('tab', { name: tab }).click();
          const part = page.locator('[data-part] [aria-expanded=false]').first();
          if (tab !== 'Beam') await part.click();
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          expect([width, tab, overflow]).toEqual([width, tab, 0]); // nothing is cut
          await picture(`${width}-${theme}-${tab.toLowerCase()}`);
        }
        if (width !== 2560) expect(await seriousFaults(page)).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.emulateMedia({ colorScheme: 'light' });
    await go('/projects');
    await page.locator('[data-project]').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('list');
  });

  it('picks, moves and cuts in the view, with 500 figures', async () => {
    const project = exampleProject('proton-bone-slab', 1_000) as unknown as {
      figureManager: { figures: { uuid: string; name: string; geometryData: object }[] };
    };
    const [, slab] = project.figureManager.figures;
    if (slab === undefined) throw new Error('no slab');
    for (let i = 0; i < 498; i += 1) {
      const position = [(i % 10) - 4.5, (Math.floor(i / 10) % 10) - 4.5, 8 + Math.floor(i / 100) * 2];
      const geometryData = { ...slab.geometryData, position, parameters: { width: 0.6, height: 0.6, depth: 0.6 } };
      project.figureManager.figures.push({ ...slab, uuid: `box-${i}`, name: `box ${i}`, geometryData });
    }
    const id = await page.evaluate(async (body) => {
      const response = await fetch('/projects', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ project: body }),
      });
      return ((await response.json()) as { project_id: string }).project_id;
    }, project);
    await go(`/projects/${id}`);
    await isReady().catch(() => undefined);
    const { x, y, width, height } = await placeOf(page.locator('[data-view] canvas'));
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    const started = Date.now();
    await page.evaluate(() => performance.clearMarks('scene drawn'));
    for (let i = 1; i <= 60; i += 1) await page.mouse.move(x + width / 2 + 2 * i, y + height / 2 + (i % 7));
    await page.mouse.up();
    const frames = await page.evaluate(() =>
      performance.getEntriesByName('scene drawn').map(({ startTime }) => startTime),
    );
    const rate = ((frames.length - 1) * 1_000) / ((frames.at(-1) ?? 0) - (frames[0] ?? 0));
    process.stdout.write(`500 figures: ${rate.toFixed(0)} frames a second over ${Date.now() - started} ms\n`);
    await picture('500');
    await page.getByLabel('Section', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Section across x' }).click();
    await page.locator('[data-legend] [data-material="119"]').waitFor();
    await picture('section');
    // unchanged, it is the file that came
    const kept = (await keptProject()).project;
    expect(JSON.stringify(kept)).toBe(JSON.stringify(project));
    expect(here.faults).toEqual([]);
  });
});
