import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tally/testkit';
import { startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

const KEY = 'the one key that this deployment gives its workers';
const run = promisify(execFile);
let suite: TestSuite;
beforeAll(async () => {
  suite = await startTestSuite({ runners: 0, env: { jobs: { JOBS_UPDATE_KEY_SHARED: KEY } } });
});
afterAll(() => suite?.stop());

describe('examples/curl/journey.sh', () => {
  it('drives a job from registration to deletion, worker callbacks included, with nothing but curl', async () => {
    const keyFile = path.join(suite.directory, 'update-key');
    writeFileSync(keyFile, KEY, { mode: 0o600 });
    const { stderr } = await run(path.join(workspaceRoot(), 'examples/curl/journey.sh'), [], {
      env: { PATH: process.env.PATH, TALLY_URL: suite.gatewayUrl, UPDATE_KEY_FILE: keyFile },
    });
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('done');
    expect(stderr.split('\n').filter((line) => /^[A-Z]+ \/.* \d{3}$/.test(line)).length).toBeGreaterThan(25);
  });
});
