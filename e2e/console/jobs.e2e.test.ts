import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findChromium, runStatement, waitFor } from '@tally/testkit';
import type { Browser, Page } from 'playwright-core';
import { exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { openBrowser, seriousFaults, signIn, type Visit, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';

/** Twelve ended jobs of user 1, as the schema of jobs has them: every third failed, the longest is number 12. */
const ENDED_JOBS = `
  INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max, start_time, end_time, closed_at)
  SELECT 'ended-' || n, 1, 'ended number ' || n, 'direct', 'editor', 'simA',
    (CASE WHEN n % 3 = 0 THEN 'FAILED' ELSE 'COMPLETED' END)::text, n, 4, 4000,
    now() - n * interval '1 hour', now() - n * interval '1 hour' + n * interval '1 minute', now()
  FROM generate_series(1, 12) AS n`;

(reason === '' ? describe : describe.skip)(`the list of jobs in Chromium${reason}`, () => {
  let suite: TestSuite;
  let browser: Browser;
  let here: Visit;
  let page: Page;
  const rows = () => page.getByRole('row').filter({ has: page.getByRole('link') });
  const titles = () => rows().getByRole('link').allTextContents();
  const shows = (count: string) => page.getByText(count, { exact: true }).waitFor();
  const picture = (name: string) =>
    page.screenshot({ path: path.join(process.env.TALLY_PICTURES ?? suite.directory, name), animations: 'disabled' });
  const choose = async (...states: string[]) => {
    await page.getByRole('combobox', { name: 'All states' }).click({ force: true }); // beside what is chosen
    for (const state of states) await page.getByRole('option', { name: state, exact: true }).click();
    await page.keyboard.press('Escape');
  };

  beforeAll(async () => {
    suite = await startTestSuite({ runners: 0 }); // what is submitted waits
    const user = await suite.newUser();
    await runStatement(suite.databases.jobs, ENDED_JOBS);
    for (let i = 0; i < 3; i += 1) {
      const project = { ...exampleProject('proton-150mev-water', 10), project: { title: `waiting number ${i}` } };
      await submit(user, { project, ntasks: 1 });
    }
    browser = await openBrowser();
    here = await visit(browser);
    page = here.page;
    await page.goto(`${suite.gatewayUrl}/console/`);
    await signIn(page);
    await rows().first().waitFor();
  });
  beforeEach(async () => {
    await page.goto(`${suite.gatewayUrl}/console/`);
    await rows().first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('filters by states, alone and together, and by words of titles', async () => {
    await shows('15 jobs');
    await choose('Failed');
    await shows('4 jobs');
    expect(await titles()).toEqual([3, 6, 9, 12].map((n) => `ended number ${n}`));
    await choose('Waiting');
    await shows('7 jobs');
    await page.getByLabel('Search jobs').fill('NUMBER 1');
    await waitFor(async () => (await titles()).join() === 'waiting number 1,ended number 12', { what: 'two of them' });
    await page.getByLabel('Search jobs').fill('nothing like it');
    await page.getByText('No job matches').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('finds jobs again by star, tag and note, keeps searches, and archives several at once', async () => {
    const search = page.getByLabel('Search jobs');
    await page.getByRole('button', { name: 'Make waiting number 2 a favourite', exact: true }).click();
    await page.getByRole('button', { name: 'waiting number 2 is no favourite any more' }).waitFor();
    await page.getByRole('link', { name: 'waiting number 2', exact: true }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('Head phantom');
    await page.keyboard.press('Enter');
    await page.getByLabel('Note').fill('The reference,\nas agreed in May.');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByRole('button', { name: 'Save the note' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Reference of May');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Reference of May' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture('console-labels.png');

    await page.goto(`${suite.gatewayUrl}/console/`);
    await page.getByRole('button', { name: 'Jobs with the tag Head phantom' }).click();
    await shows('1 job');
    expect(await titles()).toEqual(['Reference of May']);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('menuitem', { name: 'Favourites' }).click();
    await shows('1 job');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('menuitem', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('References');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await picture('console-search.png');
    expect(await seriousFaults(page)).toEqual([]);
    await search.fill('colour:red');
    await page.getByText('unknown key colour').waitFor();
    await search.fill('AGREED may');
    await shows('1 job');

    await search.fill('');
    await choose('Failed');
    await shows('4 jobs');
    await page.getByLabel('Select all that are shown').check();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('No job matches').waitFor();
    await page.goto(`${suite.gatewayUrl}/console/`);
    await shows('11 jobs');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('menuitem', { name: 'References' }).click();
    await shows('1 job');
    await search.fill('is:archived');
    await shows('4 jobs');
    await page.getByLabel('Select all that are shown').check();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByText('No job matches').waitFor();
    expect(here.faults).toEqual([]);
  });

  it('puts them in order by what the service knows and by what it does not', async () => {
    const order = async (name: string) => {
      await page.getByRole('combobox', { name: 'Order' }).click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    const first = (title: string) => waitFor(async () => (await titles())[0] === title, { what: `${title} first` });
    await order('Oldest first');
    await first('ended number 12');
    await order('Longest first');
    await waitFor(
      async () => {
        const ended = (await titles()).filter((title) => title.startsWith('ended'));
        return ended[0] === 'ended number 12' && ended.at(-1) === 'ended number 1';
      },
      { what: 'the longest first' },
    );
    await order('By title');
    await first('ended number 1');
    expect((await titles()).slice(0, 3)).toEqual(['ended number 1', 'ended number 2', 'ended number 3']);
  });

  it('cancels several at once, and leaves what has ended and is selected, too', async () => {
    for (const title of ['waiting number 0', 'waiting number 1', 'ended number 1'])
      await page.getByLabel(`Select ${title}`, { exact: true }).check();
    await page.getByText('3 selected').waitFor();
    await picture('console-jobs-selected.png');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Unfinished tasks of 2 jobs are dropped').waitFor();
    await page.getByRole('button', { name: 'Cancel 2 jobs' }).click();
    await page.getByText('3 selected').waitFor({ state: 'detached' });
    await choose('Canceled');
    await shows('2 jobs');
    expect((await titles()).toSorted()).toEqual(['waiting number 0', 'waiting number 1']);
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    expect(here.faults).toEqual([]);
  });

  it('deletes all that a filter shows, once that was confirmed, and nothing else', async () => {
    await choose('Failed');
    await shows('4 jobs');
    await page.getByLabel('Select all that are shown').check();
    await page.getByText('4 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('4 jobs are deleted with results, inputs and logs.').waitFor();
    await page.getByRole('button', { name: 'No, keep it' }).click();
    await shows('4 jobs');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete 4 jobs' }).click();
    await page.getByText('No job matches').waitFor();
    await page.goto(`${suite.gatewayUrl}/console/`);
    await shows('11 jobs');
    expect(here.faults).toEqual([]);
  });
});
