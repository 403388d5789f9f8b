import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, runStatement, waitFor, workspaceRoot } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { projectWithCube } from '../fixtures/project-with-cube.js';
import { ended, exampleProject, PASSWORD, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import {
  dropFile,
  openBrowser,
  pictureMs,
  placeOf,
  seriousFaults,
  signIn,
  takeLongTasks,
  type Visit,
  visit,
} from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
/** Width and height. */
const SMALL = [360, 780] as const;
const USUAL = [1280, 860] as const;
const LARGE = [3840, 2160] as const;
const UPDATE_KEY = 'shared-update-key-of-this-deployment';

/** Begins a new job of the first example. */
async function chooseProtons(page: Page, gatewayUrl: string, primaries: string): Promise<void> {
  await page.goto(`${gatewayUrl}/console/new`);
  await dropFile(page, page.context(), path.join(workspaceRoot(), 'examples/proton-150mev-water.json'));
  await page.getByLabel('Primaries').fill(primaries);
}

(reason === '' ? describe : describe.skip)(`the console in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let here: Visit;
  let page: Page;
  /** A job with a curve, a plane and a volume. */
  let jobId: string;
  /** The one that was submitted in the browser. */
  let newJobId: string;

  /** A picture of the page, to be looked at; `TALLY_PICTURES` is the folder. docs/pictures has some of them. */
  async function picture(name: string): Promise<void> {
    const folder = process.env.TALLY_PICTURES ?? suite.directory;
    await page.screenshot({ path: path.join(folder, `console-${name}.png`), animations: 'disabled' });
  }

  /** Says what was measured, for docs/console.md; nothing is asserted of it. */
  const figures = (text: string) => process.stdout.write(`${text}\n`);

  const drawn = (count: number) =>
    waitFor(async () => (await page.locator('[data-drawn=true]').count()) === count, { what: `${count} drawings` });

  const go = (target: string) => page.goto(`${suite.gatewayUrl}/console${target}`);

  beforeAll(async () => {
    suite = await startTestSuite({ env: { jobs: { JOBS_UPDATE_KEY_SHARED: UPDATE_KEY } } });
    const user = await suite.newUser();
    const project = projectWithCube(1_000);
    jobId = await submit(user, { project, ntasks: 2 });
    await ended(user, jobId);
    browser = await openBrowser();
    here = await visit(browser);
    page = here.page;
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('signs in, after saying in the service’s words what was wrong', async () => {
    await go('/');
    await signIn(page, 'user-1', 'not it, sorry');
    await page.getByText('Invalid credentials').waitFor();
    await page.getByRole('button', { name: 'Copy the request id' }).waitFor();
    await signIn(page, 'user-1');
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('submits an example with another energy, watches it live, and shows its curve with R80', async () => {
    await chooseProtons(page, suite.gatewayUrl, '20000');
    await page.getByLabel('Beam energy / MeV').fill('100');
    await page.locator('canvas').waitFor(); // the preview
    await page.getByText(/^About .*(?:workers|processors)$/).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('new');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-task-state=COMPLETED]').first().waitFor();
    await page.locator('[data-state=COMPLETED]').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('job');
    newJobId = /jobs\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await page.getByRole('link', { name: 'Look at results' }).click();
    await page.locator('[data-drawn=true]').first().waitFor();
    const r80 = Number.parseFloat((await page.locator('[data-reading=R80]').textContent()) ?? '');
    expect(r80).toBeGreaterThan(7.5); // 7.7 cm: CSDA range of 100 MeV protons in water (PSTAR)
    expect(r80).toBeLessThan(7.9);
  });

  it('lays quantities of the job and other jobs over a curve, on a linear or logarithmic axis, with difference and gamma', async () => {
    await go(`/jobs/${jobId}/results?estimator=depth_dose`);
    await drawn(1);
    const powers = page
      .locator('[data-drawn=true]')
      .first()
      .locator('[data-axis=y] text', { hasText: /^10−\d/ });
    await page.getByRole('switch', { name: 'Logarithmic' }).check({ force: true });
    await powers.first().waitFor();
    await page.getByRole('switch', { name: 'Logarithmic' }).uncheck({ force: true });
    await waitFor(async () => (await powers.count()) === 0, { what: 'the linear axis' });
    const overlay = page.getByLabel('Overlay').first();
    await overlay.click();
    await page.getByRole('option', { name: 'depth_dose: dLET' }).click();
    const plot = page.locator('[data-drawn=true]').first();
    await plot.getByText('dLET / (MeV/cm)').waitFor(); // the axis on the right
    await page.getByText('depth_dose: dLET / MeV/cm, right axis').waitFor();
    await picture('two-axes');
    await page.getByRole('option', { name: 'depth_dose: Proton_fluence' }).click();
    await page.getByText('There are more than two units').waitFor();
    await page.getByRole('option', { name: 'lateral_profile: Dose' }).click();
    await page.getByText('left out: lateral_profile: Dose').waitFor();
    await go(`/jobs/${jobId}/results?estimator=depth_dose`);
    await overlay.click();
    await page
      .getByRole('option', { name: /^150 MeV proton/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
    await drawn(2);
    await page.locator('[data-gamma]', { hasText: / % of \d+ bins/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('curve');
    expect(here.faults).toEqual([]);
  });

  it('shows a plane with cuts along both axes and its difference to another, and a volume slice by slice', async () => {
    await go(`/jobs/${newJobId}/results?estimator=dose_map`);
    const plane = page.locator('[data-plane]');
    await drawn(2);
    const { width, height } = await placeOf(plane);
    await plane.click({ position: { x: 0.37 * width, y: height / 2 } }); // in the peak; depth goes to the right
    const before = await plane.getAttribute('aria-label');
    expect(before).toMatch(/z \/ cm 7\.[\d]+, x \/ cm -?0\.025/);
    await plane.press('ArrowRight');
    expect(await plane.getAttribute('aria-label')).not.toBe(before);
    await drawn(2);
    await picture('plane');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.locator('[role=option]').first().click();
    await page.locator('label', { hasText: 'Other − this' }).click();
    await page.locator('[data-gamma]', { hasText: / % of \d+ bins/ }).waitFor();
    await page.locator('label', { hasText: /^γ$/ }).click();
    await page.getByText('γ of Dose; red does not agree').waitFor();
    await page.getByText(/^z = .*: (?:2|below the cutoff)/).waitFor(); // in the peak of the one, which the other does not have
    await picture('gamma');
    await page.locator('label', { hasText: 'Other − this' }).click();
    const apart = (await page.locator('[data-ranges="Other − this"] [data-range=R80]').textContent()) ?? '';
    expect(Number.parseFloat(apart)).toBeGreaterThan(7.5); // R80 of 150 MeV less that of 100 MeV: 15.77 − 7.72 cm by PSTAR
    expect(Number.parseFloat(apart)).toBeLessThan(8.5);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/results?')) asked.push(request.url());
    });
    await go(`/jobs/${jobId}/results?estimator=cube`);
    await page.getByText('Slice at z / cm = 11').waitFor();
    await page.getByRole('slider').press('ArrowRight');
    await page.getByText('Slice at z / cm = 13').waitFor();
    await page.locator('[data-slice="6"]').waitFor();
    await drawn(2);
    expect(asked.filter((url) => url.includes('estimator_name=cube')).length).toBeGreaterThan(3);
    expect(asked.filter((url) => url.includes('estimator_name=cube') && !url.includes('index='))).toEqual([]);
    await page.locator('label', { hasText: 'y, z' }).click();
    await page.getByText('Slice at x / cm = 0.25').waitFor();
    await page.locator('[data-slice="4"]').waitFor();
    await drawn(2);
    await picture('volume');
    expect(await seriousFaults(page)).toEqual([]);
    expect(here.faults).toEqual([]);
  });

  it('is readable in the dark, and no page is wider than a telephone or a wall', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    const pages = [
      ['jobs', '/', '[role=row]'],
      ['start', '/new', '[data-testid=files]'],
      ['repeat', `/new?from=${jobId}`, '[data-estimate]'],
      ['job', `/jobs/${newJobId}`, '[data-task-state]'],
      ['curve', `/jobs/${jobId}/results?estimator=depth_dose&with=${newJobId}`, '[data-gamma]'],
      ['plane', `/jobs/${jobId}/results?estimator=dose_map&with=${newJobId}`, '[data-gamma]'],
      ['volume', `/jobs/${jobId}/results?estimator=cube`, '[data-slice]'],
      ['account', '/account', 'table td'],
    ] as const;
    for (const [name, target, content] of pages) {
      await go(target);
      await page.locator(content).first().waitFor({ state: 'attached' });
      expect([name, await seriousFaults(page)]).toEqual([name, []]);
      for (const [width, height] of [SMALL, LARGE, USUAL]) {
        await page.setViewportSize({ width, height });
        const tooWide = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([name, width, tooWide]).toEqual([name, width, 0]);
        await picture(`${name}-dark-${width}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows what is wrong with a project at its place, and says what cannot be read', async () => {
    await go('/new');
    const project = exampleProject('proton-150mev-water', 10) as ReturnType<typeof exampleProject> & {
      beam: { particle: object };
    };
    project.beam.particle = { id: 1, name: 'Neutron', a: 1, z: 0 };
    const file = path.join(suite.directory, 'neutron.json');
    writeFileSync(file, '{"beam": ');
    await page.getByTestId('files').setInputFiles(file);
    await page.getByText('neutron.json cannot be read: not JSON').waitFor();
    const whole = path.join(suite.directory, 'whole.json');
    writeFileSync(whole, JSON.stringify(project));
    await page.getByTestId('files').setInputFiles(whole);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('alert').getByText('sim_data/beam/particle').first().waitFor();
    const wrong = exampleProject('proton-150mev-water', 10) as ReturnType<typeof exampleProject> & {
      scoringManager: { outputs: { quantities: { keyword: string }[] }[] };
    };
    for (const quantity of wrong.scoringManager.outputs[1]?.quantities ?? []) quantity.keyword = 'Colour';
    writeFileSync(whole, JSON.stringify(wrong));
    await page.getByRole('button', { name: 'Take another project' }).click();
    await page.getByTestId('files').setInputFiles(whole);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-item="1"]').getByRole('alert').first().waitFor(); // below the second output
    await go('/jobs/no-such-job');
    await page.getByText('Job with provided ID does not exist').waitFor();
    expect(here.faults).toEqual([]);
  });

  it('takes the folder of a deck that is dropped, and runs it', async () => {
    await go('/new');
    await dropFile(page, here.context, path.join(workspaceRoot(), 'examples/proton-150mev-water-simA'));
    await page.getByRole('button', { name: 'beam.dat' }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-state=COMPLETED]').waitFor();
    expect(here.faults).toEqual([]);
  });

  it('shows a plane of a million bins, and cuts through it while it answers', async () => {
    const user = suite.newSession();
    await user.call('POST', '/auth/login', { username: 'user-1', password: PASSWORD });
    const large = await submit(user, { project: exampleProject('proton-150mev-water', 2_000_000), ntasks: 1 });
    const estimators = [largePlane()];
    await user.call('POST', '/results', { simulation_id: large, update_key: UPDATE_KEY, estimators });
    await go(`/jobs/${large}/results`);
    const plane = page.locator('[data-plane]');
    await plane.waitFor();
    expect([await plane.getAttribute('width'), await plane.getAttribute('height')]).toEqual(['1000', '1000']);
    await drawn(2);
    const first = await pictureMs(page);
    const atFirst = await takeLongTasks(page);
    for (let i = 0; i < 10; i++) await plane.press('ArrowUp');
    await drawn(2);
    await page.getByRole('switch', { name: 'Logarithmic' }).check({ force: true });
    await drawn(2);
    const atWork = await takeLongTasks(page);
    figures(
      `a million bins: picture ${first} ms after the numbers; tasks above 50 ms: [${atFirst.join(', ')}] then [${atWork.join(', ')}] ms`,
    );
    expect(here.faults).toEqual([]);
  });

  it('stops a job early and shows what it has', async () => {
    await chooseProtons(page, suite.gatewayUrl, '5000000');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-state=RUNNING]').waitFor();
    await waitFor(async () => /^[1-9]/.test((await page.getByText(/ of 5,000,000 primaries/).textContent()) ?? ''), {
      what: 'simulated primaries',
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped at \d+ %, [\d,]+ primaries kept\.$/).waitFor();
    await page.locator('[data-state=COMPLETED]').waitFor();
  });

  it('extends a completed job, and shows the results of all its primaries', async () => {
    await go(`/jobs/${newJobId}`);
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByText('Error bars become about 71 % of what they are.').waitFor();
    await page.getByLabel('Further primaries').fill('5000');
    await page.getByRole('button', { name: 'Simulate 5,000 more' }).click();
    await page.getByText('25,000 of 25,000 primaries').waitFor();
    await page.locator('[data-state=COMPLETED]').waitFor();
    expect(await page.locator('[data-task-state=COMPLETED]').count()).toBe(16);
    await page.getByRole('link', { name: 'Look at results' }).click();
    await page.getByText('25,000 histories').waitFor();
  });

  it('runs a job to a target, and shows how its error fell', async () => {
    await chooseProtons(page, suite.gatewayUrl, '2000');
    await page.getByLabel('Go on until the error is small enough').check();
    await page.getByLabel('Relative error / %').fill('1');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-state=COMPLETED]').waitFor({ timeout: 200_000 }); // several rounds of tasks
    await page.getByText(/^(?:1|0\.\d+) % after [\d,]+ primaries\. That is what you asked for\.$/).waitFor();
    expect(Number(await page.locator('[data-convergence]').getAttribute('data-convergence'))).toBeGreaterThan(1);
    expect(await seriousFaults(page)).toEqual([]);
    await picture('job-with-a-target');
  });

  it('cancels a job', async () => {
    await chooseProtons(page, suite.gatewayUrl, '5000000');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[data-state=RUNNING]').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('only finished tasks keep their results').waitFor();
    await page.getByRole('button', { name: 'Cancel this job' }).click();
    await page.locator('[data-state=CANCELED]').first().waitFor();
  });

  it('makes a token, shows it once, and ends it', async () => {
    await go('/account');
    await page.getByPlaceholder('laptop').fill('laptop');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const text = await page.getByText(/^tly_/).textContent();
    const headers = { authorization: `Bearer ${text}` };
    expect((await suite.newSession().send('GET', '/auth/status', { headers })).status).toBe(200);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'End laptop' }).click();
    await page.getByText('No tokens.').waitFor();
  });

  it('keeps what was typed when the session ends in the middle, and goes on after signing in again', async () => {
    await go('/account');
    await page.getByPlaceholder('laptop').fill('half-typed');
    await here.context.clearCookies();
    // an event: a page that has noticed by itself covers the button already
    await page.getByRole('button', { name: 'Make a token' }).dispatchEvent('click');
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, 'user-1');
    await page.getByRole('button', { name: 'Make a token' }).waitFor();
    expect(await page.getByPlaceholder('laptop').inputValue()).toBe('half-typed');
  });

  it('goes on by itself when the gateway is started again', async () => {
    await go('/');
    await page.getByRole('status', { name: 'live' }).waitFor();
    await suite.process('gateway').stop();
    await page.getByRole('status', { name: /not connected/ }).waitFor();
    await suite.process('gateway').start();
    await page.getByRole('status', { name: 'live' }).waitFor();
    const user = suite.newSession();
    await user.call('POST', '/auth/login', { username: 'user-1', password: PASSWORD });
    await submit(user, {
      project: { ...exampleProject('proton-150mev-water', 10), project: { title: 'After the restart' } },
      ntasks: 1,
    });
    await page.getByRole('link', { name: 'After the restart' }).waitFor();
  });

  it('gives an ended job as a crate', async () => {
    await go(`/jobs/${jobId}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all of it' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${jobId}.crate.zip`);
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  it('signs out everywhere: here, in another browser, and the tokens that end with the sessions', async () => {
    const other = await visit(browser);
    await other.page.goto(`${suite.gatewayUrl}/console/account`);
    await signIn(other.page, 'user-1');
    await other.page.getByPlaceholder('laptop').fill('bound');
    await other.page.getByLabel('End it with all my sessions').check();
    await other.page.getByRole('button', { name: 'Make a token' }).click();
    const headers = { authorization: `Bearer ${await other.page.getByText(/^tly_/).textContent()}` };
    await other.page.getByText('ends with your sessions').waitFor();
    await other.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await other.page.getByLabel('User name').waitFor();
    const status = async (sent: Record<string, string>) =>
      (await suite.newSession().send('GET', '/auth/status', { headers: sent })).status;
    await waitFor(async () => (await status(headers)) === 401, { what: 'the end of the token' });
    await waitFor(async () => (await page.context().request.get(`${suite.gatewayUrl}/auth/status`)).status() === 401, {
      what: 'the end of the other session',
    });
    expect(other.faults).toEqual([]);
  });

  it('lists ten thousand jobs without making ten thousand rows, and finds one by its title', async () => {
    await suite.newUser();
    await runStatement(suite.databases.jobs, MANY_JOBS);
    const other = await visit(browser, { width: 390, height: 844 });
    await other.page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(other.page, 'user-2');
    await other.page.getByText('10000 jobs').waitFor();
    expect(await other.page.getByRole('row').count()).toBeLessThan(60);
    await other.page.getByLabel('Search jobs').fill('number 17 of');
    await other.page.getByRole('link', { name: 'number 17 of many' }).waitFor();
    expect(await seriousFaults(other.page)).toEqual([]);
    expect(other.faults).toEqual([]);
  });
});

/** Ten thousand ended jobs of user 2, as the schema of jobs has them. */
const MANY_JOBS = `
  INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max, start_time, end_time, closed_at)
  SELECT 'many-' || n, 2, 'number ' || n || ' of many', 'direct', 'editor', 'simA', 'COMPLETED', n, 4, 4000,
    now() - n * interval '1 minute', now() - n * interval '50 seconds', now()
  FROM generate_series(1, 10000) AS n`;

/** An estimator with a page of a million bins. */
function largePlane() {
  const centres = Array.from({ length: 1_000 }, (_, i) => i / 50);
  const values = Array.from({ length: 1_000_000 }, (_, i) => Math.exp(-(((i % 1_000) - 500) ** 2) / 1e4));
  const axes = [
    { name: 'x', unit: 'cm' },
    { name: 'z', unit: 'cm' },
  ];
  const errors = values.map((value) => 0.01 * value);
  const data = { values, errors, dimensions: [centres, centres], axes, unit: 'MeV/g' };
  return { name: 'plane', pages: [{ page_number: 1, name: 'Dose', data }] };
}
