import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium, workspaceRoot } from '@tally/testkit';
import type { Browser } from 'playwright-core';
import { type BatchSuite, batchEnded, startBatchSuite } from '../fixtures/batch-fixture.js';
import { exampleProject } from '../fixtures/suite-fixture.js';
import { dropFile, openBrowser, seriousFaults, visit } from './browser.js';

const reason = findChromium() === undefined ? ' (skipped: no Chromium; npm test installs it where it may)' : '';

(reason === '' ? describe : describe.skip)(`a job for a cluster, in Chromium${reason}`, () => {
  let suite: BatchSuite;
  let browser: Browser;

  beforeAll(async () => {
    suite = await startBatchSuite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await suite?.stop();
  });

  it('has fields for what the cluster offers, an estimate for it, and faults at their fields; it runs there with these options', async () => {
    const { page, faults } = await visit(browser);
    await page.goto(`${suite.gatewayUrl}/console/new`);
    await page.getByRole('button', { name: 'Sign in with a token of single sign-on' }).click();
    await page.getByLabel('Token of the realm').fill(await suite.ssoToken());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dropFile(page, page.context(), path.join(workspaceRoot(), 'examples/proton-150mev-water.json'));
    await page.getByLabel('Primaries').fill('400');
    await page.locator('label', { hasText: /^Cluster$/ }).click();
    await page.getByText(/^Each task about .*, once the cluster has begun it$/).waitFor();
    expect(await page.getByRole('combobox', { name: 'Cluster' }).inputValue()).toBe('The northern one');
    expect(await page.getByRole('combobox', { name: 'Partition' }).inputValue()).toBe('batch');
    await page.getByText('at most 1 d 0 h').waitFor();
    await page.getByText('at most 4 GiB').waitFor();
    await page.getByLabel('Wall time / min').fill('7');
    await page.getByLabel('Memory of a task / MiB').fill('300');
    await page.getByRole('button', { name: 'Account, reservation and the like' }).click();
    await page.getByRole('textbox', { name: 'Reservation' }).fill('no spaces, please');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('has characters or a length that it cannot have').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({
      path: path.join(process.env.TALLY_PICTURES ?? suite.directory, 'console-cluster.png'),
      animations: 'disabled',
      fullPage: true,
    });
    await page.getByRole('textbox', { name: 'Reservation' }).fill('');
    await page.getByLabel('Primaries').fill('100000000');
    await page.getByLabel('Wall time / min').fill('1');
    await page.getByText('A task may take longer than its wall time of 1 min 0 s').waitFor();
    await page.getByLabel('Wall time / min').fill('7');
    await page.getByLabel('Primaries').fill('400');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/jobs\/\d/);
    const jobId = /jobs\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await page.locator('[data-state=COMPLETED]').waitFor();
    const user = await suite.newSsoSession();
    expect((await batchEnded(user, jobId)).cluster_name).toBe('north');
    const estimated = await user.request('POST', '/estimate', {
      body: {
        platform: 'batch',
        sim_type: 'simA',
        ntasks: 8,
        input_type: 'editor',
        sim_data: exampleProject('proton-150mev-water', 400),
      },
    });
    expect(estimated).toMatchObject({ cluster_name: 'north', simulators: [{ basis: 'same', jobs: 1 }, {}, {}, {}] });
    expect(suite.calls('sbatch').join('\n')).toMatch(/--time=0-0?0:07:00 .*--mem=300M/);
    expect(faults).toEqual([]);
  });
});
