import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, type HttpSession, readZip, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { exampleProject, startTestSuite, TEACHER, type TestSuite } from '../fixtures/suite-fixture.js';
import { tallyAs } from '../fixtures/tally-as.js';
import { openBrowser, seriousFaults, signIn, type Visit, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';
const PASSWORD = 'a good password';
const WHY = 'summer course';
const NAME = 'Dosimetry 2026';

/** A class from its list of names to its deletion, by a teacher who is no operator. */
(reason === '' ? describe : describe.skip)(`a class in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let teacher: Page;
  let session: HttpSession;
  let student: Page;
  const visits: Visit[] = [];
  const picture = (page: Page, name: string) =>
    page.screenshot({
      path: path.join(process.env.TALLY_PICTURES ?? suite.directory, `${name}.png`),
      animations: 'disabled',
    });

  async function open(): Promise<Page> {
    const opened = await visit(browser);
    visits.push(opened);
    return opened.page;
  }
  async function enter(page: Page, username: string, password: string) {
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page, username, password);
  }
  async function confirm(name: string) {
    const dialog = teacher.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(WHY);
    await dialog.getByRole('button', { name, exact: true }).click();
  }
  const tally = (...args: string[]) => tallyAs(suite, TEACHER, ['class', ...args]);

  beforeAll(async () => {
    suite = await startTestSuite({ bounds: { 'direct-runner': { reportMs: 200 } } });
    session = await suite.newTeacher();
    const project = { ...exampleProject('proton-150mev-water', 2_000), project: { title: 'Protons in water' } };
    await session.request('POST', '/projects', { body: { project } });
    browser = await openBrowser();
    [teacher, student] = [await open(), await open()];
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('is made with a list, a quota and a template', async () => {
    await enter(teacher, TEACHER.username, TEACHER.password);
    await teacher.getByRole('navigation').getByRole('link', { name: 'Classes' }).click();
    await teacher.getByText('There is no class yet.').waitFor();
    await teacher.getByRole('button', { name: 'New class' }).click();
    await teacher.getByLabel('Name of the class').fill(NAME);
    await teacher.getByLabel('User names of the students').fill('mira\nanton\n');
    await teacher.getByLabel('Last day').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
    await teacher.getByLabel('Processor time a month, hours').fill('10');
    await teacher.getByLabel('Tasks at a time').fill('2');
    await teacher.getByRole('combobox', { name: 'Templates' }).click();
    await teacher.getByRole('option', { name: 'Protons in water' }).click();
    await teacher.keyboard.press('Escape');
    expect(await seriousFaults(teacher)).toEqual([]);
    await picture(teacher, 'class-new');
    await teacher.getByRole('button', { name: 'Make a class' }).click();
    await teacher.getByRole('row', { name: 'mira' }).locator('code').waitFor();
    await picture(teacher, 'class-links');
  }, 120_000);

  it('lets a student join by his link, begin with the template and see a curve', async () => {
    const link = (await teacher.getByRole('row', { name: 'mira' }).locator('code').textContent()) ?? '';
    await teacher.getByRole('button', { name: 'Done' }).click();
    await teacher.getByText('0 of 2 have joined').waitFor();
    await teacher.getByText('Each student: 10 h of processor time a month, 2 tasks at a time').waitFor();
    await student.goto(link);
    for (const i of [0, 1]) await student.locator('input[type=password]').nth(i).fill(PASSWORD);
    const isSet = student.waitForResponse((response) => response.url().endsWith('/auth/password-reset/confirm'));
    await student.getByRole('button', { name: 'Set the password' }).click();
    await isSet;
    await enter(student, 'mira', PASSWORD);
    await student.getByRole('navigation').getByRole('link', { name: 'New job' }).click();
    await student
      .getByRole('list', { name: 'Shared with you' })
      .getByRole('link', { name: /Protons in water/ })
      .waitFor();
    expect(await seriousFaults(student)).toEqual([]);
    await picture(student, 'class-templates');
    await student.getByRole('link', { name: /Protons in water/ }).click();
    await student.getByRole('button', { name: 'Submit', exact: true }).click();
    await student.waitForURL(/jobs\/\d/);
    await student.locator('[data-state=COMPLETED]').waitFor();
    await student.getByRole('link', { name: 'Look at results' }).click();
    await student.locator('[data-drawn=true]').first().waitFor();
  }, 180_000);

  it('shows the teacher who has joined and worked, and the curve that the student gives to the class', async () => {
    await teacher.reload();
    await teacher.getByText('1 of 2 have joined').waitFor();
    const row = teacher.getByRole('row').filter({ hasText: 'mira' });
    expect(await row.getByRole('cell').nth(3).textContent()).toBe('1');
    await picture(teacher, 'class');
    const { classes } = await session.request('GET', '/admin/classes');
    expect(classes[0]?.templates).toHaveLength(1);

    await student.goto(`${suite.gatewayUrl}/console/`);
    await student.getByRole('link', { name: 'Protons in water' }).first().click();
    await student.getByRole('button', { name: 'Share', exact: true }).click();
    await student.getByRole('dialog').getByLabel('Belongs to the group').click();
    await student.getByRole('option', { name: NAME }).click();
    const isGiven = async () =>
      (await session.request('GET', '/user/simulations', { query: { view: 'group' } as never })).simulations_count ===
      1;
    await waitFor(isGiven, { what: 'the job of the group' });
    const looking = await open();
    await enter(looking, TEACHER.username, TEACHER.password);
    await looking.getByText('My groups').click();
    await looking.getByRole('link', { name: 'Protons in water' }).click();
    await looking.getByRole('link', { name: 'Results' }).click();
    await looking.locator('[data-drawn=true]').first().waitFor();
  }, 180_000);

  it('gives new links, another quota and another template', async () => {
    await teacher.getByRole('button', { name: 'Links for all who have not joined' }).click();
    await confirm('Links for all who have not joined');
    await teacher.getByRole('dialog').getByRole('row', { name: 'anton' }).locator('code').waitFor();
    expect(await teacher.getByRole('dialog').getByRole('row').count()).toBe(1);
    await teacher.keyboard.press('Escape');
    await teacher.getByRole('button', { name: 'Change the quota' }).click();
    // the dialog gives it the focus when it is there: what is filled before may land in it
    await teacher.getByRole('dialog').getByLabel('Reason').and(teacher.locator(':focus')).waitFor();
    await teacher.getByRole('dialog').getByLabel('Tasks at a time').fill('1');
    await confirm('Change the quota');
    await teacher.getByText('Each student: 10 h of processor time a month, 1 task at a time').waitFor();
    await teacher.getByRole('button', { name: 'Take Protons in water back' }).click();
    await teacher.getByRole('combobox', { name: 'Add a project of yours' }).click();
    await teacher.getByRole('option', { name: 'Protons in water' }).click();
    await teacher.getByRole('button', { name: 'Take Protons in water back' }).waitFor();
    expect((await tally('show', NAME)).stdout).toMatch(/^mira +active .* 1 +0 +36000 +usual +1$/m);
  }, 120_000);

  it('gives all work as an archive, from the page and from the command line', async () => {
    const saving = teacher.waitForEvent('download');
    await teacher.getByRole('button', { name: 'Download all work' }).click();
    const saved = readFileSync(await (await saving).path());
    const printed = await tally('export', NAME, '-o', 'work.zip');
    expect(printed.stderr).toMatch(/^\d+ bytes in work\.zip$/m);
    expect(existsSync(path.join(suite.directory, 'work.zip.part'))).toBe(false);
    for (const bytes of [saved, readFileSync(path.join(suite.directory, 'work.zip'))]) {
      const files = readZip(bytes);
      const names = [...files.keys()];
      expect(names).toContain('anton/contents.csv');
      const crate = names.find((name) => /^mira\/jobs\/.*\.crate\.zip$/.test(name)) ?? '';
      const inside = [...readZip(files.get(crate) ?? Buffer.alloc(0)).keys()];
      expect(inside).toEqual(expect.arrayContaining(['submission.json', 'ro-crate-metadata.json']));
      expect(inside.some((name) => name.startsWith('results/'))).toBe(true);
      expect(files.get('mira/contents.csv')?.toString()).toContain('Protons in water,COMPLETED,jobs/');
      expect(files.get('anton/contents.csv')?.toString().trim()).toBe('kind,id,title,state,file,note');
    }
  }, 120_000);

  it('ends with the deletion of everything, and nobody can log in', async () => {
    await teacher.getByRole('button', { name: 'Delete the class with all work' }).click();
    await picture(teacher, 'class-delete');
    await confirm('Delete the class with all work');
    await teacher.getByText('has ended').waitFor();
    const out = suite.newSession();
    const body = { username: 'mira', password: PASSWORD };
    expect((await out.send('POST', '/auth/login', { body })).body.code).toBe('USER_BLOCKED');
    await enter(student, 'mira', PASSWORD).catch(() => undefined);
    await student.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const isEmpty = async () =>
      (await session.request('GET', '/admin/classes')).classes[0]?.students.every(({ jobs }) => jobs === 0);
    await waitFor(isEmpty, { what: 'the removal of the work', timeoutMs: 60_000 });
    expect((await session.request('GET', '/groups')).groups).toEqual([]);
    expect((await tally('list')).stdout).toMatch(/has ended +delete$/m);
    expect(visits.flatMap(({ faults }) => faults)).toEqual([]);
  }, 120_000);
});
