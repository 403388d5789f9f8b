import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, SERVICES, type ServiceName, waitFor, workspaceRoot } from '@tally/testkit';
import { ended, exampleProject, results, startTestSuite, submit, type TestSuite } from './suite-fixture.js';

// Two releases side by side. TEST_PREVIOUS_ROOTS: folder with a root for each service, assembled by `pnpm image:rootfs` from
// the previous release; without it the release is rolled to itself, which shows that a restart is no error.

const previousRoots = process.env.TEST_PREVIOUS_ROOTS;
const PRIMARIES = 300;

let suite: TestSuite;
let user: HttpSession;
let roots: string;
const upgraded = new Set<ServiceName>();

/** Names of the variables that the release in a folder of roots knows. */
function settingsOf(folder: string, service: ServiceName): readonly string[] {
  const image = readFileSync(path.join(folder, service, 'app/image.json'), 'utf8');
  return (JSON.parse(image) as { settings: string[] }).settings;
}

beforeAll(async () => {
  roots = mkdtempSync(path.join(tmpdir(), 'tally-images-'));
  for (const service of SERVICES) {
    const script = path.join(workspaceRoot(), 'tools/image-rootfs.mjs');
    const assembled = spawnSync(process.execPath, [script, service, '--out', path.join(roots, service)]);
    if (assembled.status !== 0) throw new Error(assembled.stderr.toString());
  }
  const unknown = new Map<ServiceName, string[]>();
  for (const service of SERVICES) {
    const known = new Set(settingsOf(previousRoots ?? roots, service));
    const added = settingsOf(roots, service).filter((variable) => !known.has(variable));
    unknown.set(service, added);
  }
  suite = await startTestSuite({
    runners: 2,
    command: (service) => {
      const isNew = upgraded.has(service);
      // its own chart would not give a release settings that it does not know
      const left = isNew ? [] : (unknown.get(service) ?? []).flatMap((variable) => ['-u', variable]);
      const main = path.join(isNew ? roots : (previousRoots ?? roots), service, 'app/dist/src/main.js');
      return ['/usr/bin/env', ...left, process.execPath, main];
    },
  });
  user = await suite.newUser();
}, 120_000);
afterAll(async () => {
  await suite?.stop();
  rmSync(roots, { recursive: true, force: true });
});

/** Repeats what was answered 503 or found nobody, as the interface asks a client to; resolves to the answer. */
function repeat<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return waitFor(
    () =>
      ask().catch((err: unknown) => {
        const text = err instanceof Error ? `${err.message} ${String(err.cause)}` : '';
        if (/: 503 |ECONNREFUSED|fetch failed/.test(text)) return undefined;
        throw err;
      }),
    { timeoutMs: 120_000, what },
  );
}

describe('while each service is replaced by its next release under load', () => {
  it('no job is lost, and a client that repeats sees no error', async () => {
    const jobIds: string[] = [];
    const stopping = new AbortController();
    const load = (async () => {
      while (!stopping.signal.aborted) {
        const project = exampleProject('proton-150mev-water', PRIMARIES);
        const jobId = await repeat('a submission to be taken', () => submit(user, { project, ntasks: 3 }));
        jobIds.push(jobId);
        expect((await repeat('the end of a job', () => ended(user, jobId))).job_state).toBe('COMPLETED');
      }
    })();
    for (const name of suite.names()) {
      const before = jobIds.length;
      const service = SERVICES.find((candidate) => name.startsWith(candidate));
      if (service === undefined) throw new Error(`${name} is no service`);
      upgraded.add(service);
      expect([name, await suite.process(name).stop()]).toEqual([name, 0]);
      await suite.process(name).start();
      // one more job begins on this mixture of releases
      await Promise.race([
        load,
        waitFor(() => jobIds.length > before + 1, { timeoutMs: 60_000, what: `a job after ${name}` }),
      ]);
    }
    stopping.abort();
    await load;
    expect(upgraded.size).toBe(SERVICES.length);
    for (const jobId of jobIds) expect((await results(user, jobId)).primaries).toBe(PRIMARIES);
  }, 300_000);
});
