import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, type HttpSession, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, type Visit, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';

(reason === '' ? describe : describe.skip)(`sharing in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let supervisor: HttpSession;
  let jobId = '';
  const visits: Visit[] = [];
  const picture = (page: Page, name: string) =>
    page.screenshot({ path: path.join(process.env.TALLY_PICTURES ?? suite.directory, name), animations: 'disabled' });

  async function enter(username: string): Promise<Page> {
    const opened = await visit(browser);
    visits.push(opened);
    const { page } = opened;
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    return page;
  }

  beforeAll(async () => {
    suite = await startTestSuite({ env: { gateway: { GATEWAY_SHARE_LINKS_WITHOUT_ACCOUNT: 'true' } } });
    const student = await suite.newUser();
    supervisor = await suite.newUser();
    const project = { ...exampleProject('proton-150mev-water', 400), project: { title: 'A first curve' } };
    jobId = await submit(student, { project, ntasks: 1 });
    await ended(student, jobId);
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('shows a student’s curve to a supervisor, who loses it while looking when it is taken back', async () => {
    const [student, other] = [await enter('user-1'), await enter('user-2')];
    await student.goto(`${suite.gatewayUrl}/console/jobs/${jobId}`);
    await student.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = student.getByRole('dialog');
    await dialog.getByLabel('User name').fill('user-2');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText('user-2', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = await dialog.getByLabel('Whoever has the link', { exact: true }).inputValue();
    await picture(student, 'console-share.png');
    expect(await seriousFaults(student)).toEqual([]);

    await other.getByText('Shared with me').click();
    await other.getByRole('link', { name: 'A first curve' }).click();
    await other.getByText(/Of user-1, read only/).waitFor();
    expect(await other.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await other.getByRole('link', { name: 'Results' }).click();
    await other.locator('[data-drawn=true]').first().waitFor();
    await dialog.getByRole('button', { name: 'Remove user-2' }).click();
    await other.getByText('The job belongs to another user').waitFor({ timeout: 15_000 });

    const guest = await visit(browser);
    visits.push(guest);
    await guest.page.goto(link);
    await guest.page.waitForURL(`**/jobs/${jobId}/results`);
    await guest.page.locator('[data-drawn=true]').first().waitFor();
    await guest.page.getByText('You see what a link shares; nothing can be changed.').waitFor();
    await dialog.getByRole('button', { name: 'Remove Whoever has the link' }).click();
    await guest.page.getByText('This link is not valid: it may have ended').waitFor({ timeout: 15_000 });
    expect(visits.flatMap(({ faults }) => faults)).toEqual([]);
  }, 180_000);

  it('makes a group whose members see and change a job together', async () => {
    const student = await enter('user-1');
    await student.goto(`${suite.gatewayUrl}/console/groups`);
    await student.getByLabel('Name of a new group').fill('Clinic');
    await student.getByRole('button', { name: 'Make a group' }).click();
    const card = student.getByRole('region', { name: 'Clinic' });
    await card.getByLabel('User name').fill('user-2');
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await card.locator('[data-member="user-2"]').waitFor();
    await picture(student, 'console-groups.png');
    expect(await seriousFaults(student)).toEqual([]);
    await student.goto(`${suite.gatewayUrl}/console/jobs/${jobId}`);
    await student.getByRole('button', { name: 'Share', exact: true }).click();
    await student.getByRole('dialog').getByLabel('Belongs to the group').click();
    await student.getByRole('option', { name: 'Clinic' }).click();
    await waitFor(async () => (await supervisor.send('GET', `/jobs?job_id=${jobId}`)).status === 200, {
      what: 'the access of the group',
    });
  }, 120_000);

  it('submits for a group, whose viewer finds the job by its terms and may do what a viewer may', async () => {
    const student = await enter('user-1');
    await student.goto(`${suite.gatewayUrl}/console/new?template=water-tank`);
    await student.getByLabel('Title').fill('Of the clinic');
    await student.getByLabel('Primaries').fill('200');
    await student.getByRole('combobox', { name: 'Belongs to the group' }).click();
    await student.getByRole('option', { name: 'Clinic' }).click();
    await student.getByRole('button', { name: 'Submit', exact: true }).click();
    await student.waitForURL('**/console/jobs/*');
    await student.locator('[data-state=COMPLETED]').first().waitFor();

    const viewer = await enter('user-2');
    await viewer.getByRole('button', { name: 'My groups' }).click();
    const rows = viewer.getByRole('table', { name: 'Jobs' }).getByRole('link');
    await viewer.getByLabel('Search', { exact: false }).first().fill('clinic particle:proton');
    await waitFor(async () => (await rows.allInnerTexts()).join() === 'Of the clinic', {
      what: 'what the search finds',
    });
    await viewer.getByLabel('Select Of the clinic').check();
    await viewer.getByRole('button', { name: 'Export' }).waitFor();
    for (const name of ['Delete', 'Archive', 'Tag']) {
      expect(await viewer.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    expect(await viewer.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);
    await picture(viewer, 'console-group-jobs.png');
    expect(await seriousFaults(viewer)).toEqual([]);
  }, 180_000);

  it('shows a project of others as it is, to be copied and not changed', async () => {
    const owner = await suite.newUser();
    const { project_id: projectId } = await owner.call<{ project_id: string }>('POST', '/projects', {
      title: 'A tank',
      project: { ...exampleProject('proton-150mev-water', 400), project: { title: 'A tank' } },
    });
    await owner.call('POST', '/shares', { project_id: projectId, with: 'user', username: 'user-2' });
    const reader = await enter('user-2');
    await reader.getByRole('link', { name: 'Projects' }).first().click();
    await reader.getByRole('button', { name: 'Shared with me' }).click();
    await reader.getByRole('link', { name: 'Open A tank' }).click();
    await reader.locator('[data-read-only]').waitFor();
    expect(await reader.getByLabel('Energy', { exact: false }).first().isDisabled()).toBe(true);
    expect(await reader.getByRole('button', { name: 'Submit', exact: true }).count()).toBe(0);
    expect(await seriousFaults(reader)).toEqual([]);
    await picture(reader, 'console-read-only.png');
    await reader.getByRole('button', { name: 'Make a copy' }).click();
    await reader.getByRole('button', { name: 'Submit', exact: true }).waitFor();
    expect(await reader.getByLabel('Energy', { exact: false }).first().isEnabled()).toBe(true);
    expect(visits.flatMap(({ faults }) => faults)).toEqual([]);
  }, 120_000);
});
