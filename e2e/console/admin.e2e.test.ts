import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, type HttpSession, runStatement, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import {
  ended,
  exampleProject,
  jobStatus,
  OPERATOR,
  startTestSuite,
  submit,
  type TestSuite,
} from '../fixtures/suite-fixture.js';
import { tallyAs } from '../fixtures/tally-as.js';
import { openBrowser, seriousFaults, signIn, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const WHY = 'asked for by phone';

/** What operators do every day, from the command line and from the console, in one suite. */
(reason === '' ? describe : describe.skip)(`an operator's day${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let page: Page;
  let user: HttpSession;
  let faults: string[];
  const long = () => submit(user, { project: exampleProject('proton-150mev-water', 500_000_000), ntasks: 2 });

  const tally = (...args: string[]) => tallyAs(suite, OPERATOR, ['admin', ...args]);
  const open = (tab: string) => page.getByRole('tab', { name: tab }).click();
  const row = (words: string) => page.getByRole('row').filter({ hasText: words });
  /** Chooses an action of a row, says why, and does it. */
  async function act(words: string, name: string) {
    await row(words).getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await confirm(name);
  }
  async function chooseState(name: string) {
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  }
  /** Looks at the page on a desk and a phone, light and dark: nothing is cut off or hard to read. */
  async function look(name: string) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFaults(page)).toEqual([]);
        const file = path.join(process.env.TALLY_PICTURES ?? suite.directory, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file, animations: 'disabled', fullPage: true });
      }
      expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
    }
  }
  const saved = async (button: string) => {
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    return text(await (await file).createReadStream());
  };
  async function confirm(name: string) {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(WHY);
    await dialog.getByRole('button', { name, exact: true }).click();
  }

  beforeAll(async () => {
    suite = await startTestSuite({
      bounds: { 'direct-runner': { reportMs: 200 }, auth: { housekeepingIntervalMs: 500 } },
    });
    user = await suite.newUser();
    await suite.newOperator();
    browser = await openBrowser();
    ({ page, faults } = await visit(browser));
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('is done from the command line', async () => {
    const jobId = await long();
    await waitFor(async () => (await jobStatus(user, jobId)).job_state === 'RUNNING', { what: 'a running job' });
    expect((await tally('jobs', '--state', 'open')).stdout).toMatch(
      new RegExp(`^${jobId} +user-1 +RUNNING +[12] `, 'm'),
    );
    expect((await tally('load')).stdout).toMatch(/^user-1 +1 /m);
    const [, runner = ''] = /^(\S+) +[12] /m.exec((await tally('runners')).stdout) ?? [];
    expect((await tally('drain', runner, '-r', WHY)).stdout).toContain('takes no more tasks');
    expect((await tally('fail', jobId, '-r', 'the disk is full')).stdout).toBe('Job ended as FAILED\n');
    expect(await jobStatus(user, jobId)).toMatchObject({
      job_state: 'FAILED',
      failure_reason: { code: 'STOPPED_BY_OPERATOR', detail: 'the disk is full' },
    });
    await waitFor(async () => (await tally('runners')).stdout.includes('yes'), { what: 'a drained runner' });
    expect((await tally('retry', jobId, '-r', WHY)).stdout).toBe('Tasks run again\n');
    expect((await jobStatus(user, jobId)).job_state).toBe('PENDING');
    expect((await tally('undrain', runner, '-r', WHY)).stdout).toContain('takes tasks');
    await waitFor(async () => (await jobStatus(user, jobId)).job_state === 'RUNNING', { what: 'the retried job' });
    expect((await tally('cancel', jobId, '-r', WHY)).stdout).toBe('Job canceled\n');
    const refused = await tally('merge', jobId, '-r', WHY);
    expect(refused.stderr).toContain('it is CANCELED');
    const trail = (await tally('audit')).stdout;
    expect(trail.split('\r\n')[1]).toMatch(/,operator,jobs\.merge,.*,JOB_NOT_MERGEABLE$/);
    expect(trail).toContain(`jobs.fail,${jobId},the disk is full`);
  }, 180_000);

  it('is done from the console', async () => {
    const jobId = await long();
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page, OPERATOR.username, OPERATOR.password);
    await page.getByRole('navigation').getByRole('link', { name: 'Admin' }).click();
    await row(jobId).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await act(jobId, 'Cancel');
    await row(jobId).waitFor({ state: 'detached' });
    expect((await jobStatus(user, jobId)).job_state).toBe('CANCELED');

    await open('Submissions');
    await page.getByRole('button', { name: 'Pause' }).first().click();
    // the dialog gives it the focus when it is there: what is filled before may land in it
    await page.getByRole('dialog').getByLabel('Reason').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Sentence that users read').fill('Maintenance until 14:00');
    await confirm('Pause');
    await page.getByRole('dialog').waitFor({ state: 'detached' }); // until then the field of the dialog has that sentence
    await page.getByText('Maintenance until 14:00').waitFor();
    const body = {
      sim_type: 'simA',
      input_type: 'editor',
      ntasks: 1,
      sim_data: exampleProject('proton-150mev-water', 10),
    };
    const refused = await user.send('POST', '/jobs/direct', { body });
    expect([refused.status, refused.body.message]).toEqual([503, 'Maintenance until 14:00']);
    await page.getByRole('button', { name: 'Take submissions again' }).click();
    await confirm('Take submissions again');
    await page.getByText('Submissions are taken.').nth(1).waitFor();
    expect((await user.send('POST', '/jobs/direct', { body })).status).toBe(202);

    await open('Users');
    await act('user-1', 'Link to a new password');
    const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await page.keyboard.press('Escape');
    const other = await visit(browser);
    await other.page.goto(link);
    for (const i of [0, 1]) await other.page.locator('input[type=password]').nth(i).fill('a new good password');
    await other.page.getByRole('button', { name: 'Set the password' }).click();
    const again = suite.newSession();
    const credentials = { username: 'user-1', password: 'a new good password' };
    const isSet = async () => (await again.send('POST', '/auth/login', { body: credentials })).status === 202;
    await waitFor(isSet, { what: 'the new password' });
    await other.context.close();

    await act('user-1', 'Block');
    await row('blocked').waitFor();
    expect((await again.send('GET', '/auth/status')).status).toBe(401);
    expect((await again.send('POST', '/auth/login', { body: credentials })).body.code).toBe('USER_BLOCKED');
    await act('user-1', 'Let log in again');
    await row('blocked').waitFor({ state: 'detached' });
    expect((await again.send('POST', '/auth/login', { body: credentials })).status).toBe(202);
    await act('user-1', 'Delete with everything');
    await row('being deleted').waitFor();
    await open('Trail');
    await row('users.delete').waitFor();
    expect(await row('users.delete').textContent()).toContain(WHY);
    const gone = async () => !(await tally('jobs', '--user', 'user-1')).stdout.includes(jobId);
    await waitFor(gone, { what: 'the removal of the jobs', timeoutMs: 60_000 });
    expect(faults).toEqual([]);
  }, 240_000);

  it('is the rest of the list: why, again, merged again, drained, handed over, and kept or removed by rules', async () => {
    const leaver = await suite.newUser();
    const heir = await suite.newUser();
    const project = exampleProject('proton-150mev-water', 500_000_000);
    const done = await submit(leaver, { project: exampleProject('proton-150mev-water', 1_000), ntasks: 1 });
    await ended(leaver, done);
    const jobId = await submit(leaver, { project, ntasks: 2 });

    await page.reload();
    await row(jobId).waitFor();
    const request = /Request ([0-9a-f-]{36})/.exec((await row(jobId).textContent()) ?? '')?.[1] ?? '';
    await page.getByLabel('Request id').fill(request);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await act(jobId, 'End as FAILED');
    await row(jobId).waitFor({ state: 'detached' });
    expect((await jobStatus(leaver, jobId)).failure_reason).toMatchObject({ code: 'STOPPED_BY_OPERATOR', detail: WHY });
    await chooseState('Any');
    await act(jobId, 'Run failed tasks again');
    await waitFor(async () => (await jobStatus(leaver, jobId)).job_state === 'RUNNING', { what: 'the job again' });
    await page.getByLabel('Request id').fill('');
    await page.getByLabel('Job id').fill(done);
    await page.getByRole('button', { name: 'Search' }).click();
    await act(done, 'Merge again');
    await waitFor(async () => (await jobStatus(leaver, done)).job_state === 'COMPLETED', { what: 'the merge' });
    await page.getByLabel('Job id').fill('');
    await page.getByLabel('User', { exact: true }).fill('user-2');
    await page.getByRole('button', { name: 'Search' }).click();
    for (const id of [jobId, done]) await row(id).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);

    await open('Load');
    await row('user-2').waitFor();
    for (const key of ['runner', 'simulator', 'reason of waiting', 'group', 'cluster']) {
      await page.getByRole('combobox', { name: 'By' }).click();
      await page.getByRole('option', { name: key, exact: true }).click();
      await page.getByRole('columnheader', { name: key, exact: true }).or(page.getByText('Nothing to show.')).waitFor();
    }
    await open('Runners');
    await page.getByRole('button', { name: 'Drain' }).first().click();
    await confirm('Drain');
    await page.getByText('drained').waitFor();
    await page.getByRole('button', { name: 'Take tasks again' }).click();
    await confirm('Take tasks again');
    await page.getByText('drained').waitFor({ state: 'detached' });

    await open('Users');
    await act('user-2', 'End sessions and tokens');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await leaver.send('GET', '/auth/status')).status).toBe(401);
    await row('user-2').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete and give to another' }).click();
    await page.getByRole('dialog').getByLabel('Reason').and(page.locator(':focus')).waitFor();
    await page.getByLabel('User name of who gets them').fill('nobody');
    await confirm('Delete and give to another');
    await page.getByText('There is no user nobody').waitFor();
    await page.getByLabel('User name of who gets them').fill('user-3');
    await confirm('Delete and give to another');
    await page.getByText('user-3 has 2 jobs and 0 projects within minutes.').waitFor();
    await page.keyboard.press('Escape');
    for (const id of [jobId, done]) {
      const isGiven = async () => (await heir.send('GET', `/jobs?job_id=${id}`)).status === 200;
      await waitFor(isGiven, { what: 'the job of the new owner', timeoutMs: 60_000 });
    }
    expect((await jobStatus(heir, jobId)).job_state).toBe('RUNNING');
    expect((await heir.request('GET', '/results', { query: { job_id: done } })).estimators.length).toBeGreaterThan(0);

    await open('Retention');
    await page.getByLabel('Rules, one a line').fill('logs any 1\nresults COMPLETED 2');
    await page.getByRole('button', { name: 'Show what these rules remove' }).click();
    await page.getByText('These rules are not set.').waitFor();
    await row(done).first().waitFor();
    expect(await row(done).count()).toBe(2);
    await look('admin-retention');
    await page.getByRole('button', { name: 'Set these rules' }).click();
    await confirm('Set these rules');
    await page.getByText('These rules hold since').waitFor();
    const owner = await visit(browser);
    await owner.page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(owner.page, 'user-3');
    await owner.page.getByText(/^results deleted on /).waitFor();
    await owner.page.getByText(/^logs deleted on /).waitFor();
    await owner.page.getByRole('row').filter({ hasText: done }).getByRole('link').first().click();
    await owner.page
      .getByRole('main')
      .getByText(/^results deleted on /)
      .waitFor();
    expect(owner.faults).toEqual([]);
    await owner.context.close();

    await open('Trail');
    await row('retention.set').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const csv = await text(await (await file).createReadStream());
    for (const action of ['jobs.fail', 'jobs.retry', 'jobs.merge', 'runners.drain', 'users.delete', 'retention.set'])
      expect(csv).toContain(`,${action},`);
    await heir.request('DELETE', '/jobs/direct', { query: { job_id: jobId } });
    expect(faults).toEqual([]);
  }, 240_000);

  it('is who used and stores what, and the quota of one user', async () => {
    const someone = await suite.newUser();
    const [project, name] = [exampleProject('proton-150mev-water', 1_000), 'user-4'];
    const jobId = await submit(someone, { project, ntasks: 1 });
    await ended(someone, jobId);
    const now = new Date();
    const months = [-1, 0].map((back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + back, 1)));
    const [before = '', month = ''] = months.map((day) => day.toISOString().slice(0, 7));
    await runStatement(
      suite.databases.jobs,
      `INSERT INTO usage_entries (owner_id, day, cluster, cpu_ms) SELECT owner_id, day, '', cpu_ms
       FROM jobs CROSS JOIN (VALUES ('${before}-01'::date, 7.2e6), ('${month}-01', 3.6e6)) kept (day, cpu_ms)
       WHERE job_id = '${jobId}'`,
    );
    const { processor_seconds: seconds } = await someone.request('GET', '/usage');

    await page.reload();
    await open('Usage');
    await row(name).getByText('1 h 0 min').waitFor();
    await row(name).getByText('as the server is set').waitFor();
    const csv = await saved('CSV');
    expect(csv).toMatch(/^month,user_id,user,processor_seconds,stored_bytes\n/);
    const [line = '', bytes] = new RegExp(`\\d+,${name},${seconds},(\\d+)\n`).exec(csv) ?? [];
    expect(csv).toContain(`\n${month},${line}`);
    expect(Number(bytes)).toBeGreaterThan(100_000); // results and a log
    expect(await row(name).textContent()).toContain(`${Number((Number(bytes) / 1_000).toPrecision(3))} kB`);
    await look('admin-usage');
    const year = await saved('CSV of 12 months');
    expect(year).toMatch(new RegExp(`^${month},${line}(.*\n)*${before},\\d+,${name},7200,\n`, 'm'));
    await page.getByRole('combobox', { name: 'Month' }).click();
    await page.getByRole('option', { name: before }).click();
    await row(name).getByText('2 h 0 min').waitFor();
    await page.getByText('what was stored earlier is not kept').waitFor();

    const submission = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: project };
    const submitted = () => someone.send('POST', '/jobs/direct', { body: submission });
    const dialog = page.getByRole('dialog');
    const hours = dialog.getByLabel('Processor time a month, hours');
    await page.getByRole('button', { name: `Set the quota: ${name}` }).click();
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
    await hours.fill('0.5');
    await dialog.getByLabel('Stored, GB').fill('2');
    await dialog.getByLabel('Tasks at a time').fill('3');
    await look('admin-quota');
    await confirm('Set the quota');
    await row(name).getByText('0.5 h a month, 2 GB, 3 tasks at a time').waitFor();
    expect((await submitted()).body.code).toBe('QUOTA_EXCEEDED');

    await open('Users');
    await row(name).getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Set the quota' }).click();
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
    expect(await hours.inputValue()).toBe('0.5');
    await hours.fill('');
    await confirm('Set the quota');
    await dialog.waitFor({ state: 'detached' });
    expect((await submitted()).status).toBe(202);
    expect((await tally('quotas')).stdout).toMatch(new RegExp(`^${name} +usual +2000000000 +3$`, 'm'));
    expect((await tally('usage', '--from', before)).stdout).toMatch(new RegExp(`^${before} +${name} +7200`, 'm'));
    await open('Trail');
    await row('quotas.set').first().waitFor();
    expect(faults).toEqual([]);
  }, 240_000);
});
