import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES, type ServiceName, waitFor, workspaceRoot } from '@tally/testkit';
import { LoadClient } from './fixtures/load-client.js';
import { commandOf, previousRoots } from './fixtures/previous-release.js';
import { startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

// Two releases side by side. TEST_PREVIOUS_ROOTS: folder with a root for each service, assembled from the previous release
// (`pnpm check:previous` makes it); without it the release is rolled to itself, which shows that a restart is no error.

const PRIMARIES = 200;
const CLIENTS = 4;

let suite: TestSuite;
let roots: string;
const upgraded = new Set<ServiceName>();

const serviceOf = (name: string) => SERVICES.find((service) => name.replace(/-\d+$/, '') === service);

beforeAll(async () => {
  roots = mkdtempSync(path.join(tmpdir(), 'tally-images-'));
  for (const service of SERVICES) {
    const script = path.join(workspaceRoot(), 'tools/image-rootfs.mjs');
    const assembled = spawnSync(process.execPath, [script, service, '--out', path.join(roots, service)]);
    if (assembled.status !== 0) throw new Error(assembled.stderr.toString());
  }
  suite = await startTestSuite({
    runners: 2,
    copies: 2,
    command: (service) => commandOf(upgraded.has(service) ? roots : (previousRoots ?? roots), service),
  });
}, 120_000);
afterAll(async () => {
  await suite?.stop();
  rmSync(roots, { recursive: true, force: true });
});

describe('while each copy of each service is replaced by its next release under load', () => {
  it('no job is lost or made twice, and a client that repeats sees no error', async () => {
    const gatewayUrls = ['gateway', 'gateway-2'].map((name) => `http://${suite.process(name).address}`);
    const clients = Array.from({ length: CLIENTS }, (_, i) => {
      return new LoadClient({ gatewayUrls, username: `user-${i}`, primaries: PRIMARIES, ntasks: 2, cancelEvery: 4 });
    });
    await Promise.all(clients.map((client) => client.enter()));
    const stopping = new AbortController();
    const load = Promise.all(clients.map((client) => client.run(stopping.signal)));
    load.catch(() => {}); // whoever waits for it hears of it
    const submitted = () => clients.reduce((sum, client) => sum + client.submittedCount, 0);
    for (const name of suite.names()) {
      const service = serviceOf(name);
      if (service === undefined) throw new Error(`${name} is no service`);
      upgraded.add(service);
      const before = submitted();
      expect([name, await suite.process(name).stop()]).toEqual([name, 0]);
      await suite.process(name).start();
      // jobs go on to be taken and to end on this mixture of releases
      await Promise.race([load, waitFor(() => submitted() > before + 1, { what: `jobs after ${name}` })]);
    }
    stopping.abort();
    await load;
    expect(upgraded.size).toBe(SERVICES.length);
    for (const client of clients) {
      expect((await client.list()).toSorted()).toEqual(client.jobs.map(({ jobId }) => jobId).toSorted());
      for (const { jobId, wasCancelled, state } of client.jobs) {
        // a job may have ended before its cancellation came
        expect(wasCancelled ? ['CANCELED', 'COMPLETED'] : ['COMPLETED']).toContain(state);
        if (state === 'COMPLETED') expect((await client.results(jobId)).primaries).toBe(PRIMARIES);
      }
    }
    const all = clients.flatMap(({ jobs }) => jobs);
    expect(all.some(({ state }) => state === 'CANCELED')).toBe(true);
    expect(clients.reduce((sum, { repeatCount }) => sum + repeatCount, 0)).toBeGreaterThan(0);
  }, 600_000);
});
