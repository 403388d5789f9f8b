import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { type FakeGateway, startGateway } from './fake-gateway.js';
import { type HelperProcess, startHelper } from './helper-process.js';
import { createJob, type JobFixture, type JobSettings } from './job-fixture.js';
import { processesNaming } from './processes.js';

/** What surrounds a helper in a test: a gateway, a folder for stand-ins, a job. All is gone afterwards. */
export interface Fixture {
  readonly gateway: FakeGateway;
  /** Folder of the stand-ins. */
  readonly standIns: string;
  /** A job whose tasks reach the gateway, unless the settings change that. */
  readonly createJob: (settings?: JobSettings) => Promise<JobFixture>;
  readonly start: (...args: Parameters<typeof startHelper>) => HelperProcess;
}

export function useFixture(): () => Fixture {
  let fixture: Fixture;
  let helpers: HelperProcess[];
  let jobs: JobFixture[];
  beforeEach(async () => {
    const gateway = await startGateway();
    helpers = [];
    jobs = [];
    fixture = {
      gateway,
      standIns: await mkdtemp(path.join(tmpdir(), 'tally-stand-in-')),
      async createJob(settings = {}) {
        const job = await createJob({ gateway: { url: gateway.url, caFile: null }, ...settings });
        jobs.push(job);
        return job;
      },
      start(...args) {
        const helper = startHelper(...args);
        helpers.push(helper);
        return helper;
      },
    };
  });
  afterEach(async () => {
    for (const { child } of helpers) child.kill('SIGKILL');
    await Promise.all(helpers.map(({ ended }) => ended));
    await fixture.gateway.stop();
    for (const job of jobs) {
      await waitFor(() => processesNaming(job.folder).length === 0, { what: 'the end of all processes of the job' });
      await job.remove();
    }
    await rm(fixture.standIns, { recursive: true });
  });
  return () => fixture;
}
