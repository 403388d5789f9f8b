import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomOf } from '../faults/fault-schedule.js';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { askAwkwardly } from './awkward/awkward-user.js';
import { heldSettings } from './awkward/held.js';
import { judgeRequests } from './awkward/judge-requests.js';
import { standInSettings } from './awkward/stand-ins.js';

/*
 * Users with honest but awkward requests, chosen by a seed: nobody's event loop is held for long. What counts is the time of a processor
 * that a main thread takes in one turn of its loop, which does not depend on what else the machine does.
 */

/** Set by `pnpm test:faults --awkward`, as JSON. */
const asked = process.env.TALLY_AWKWARD;
const { seconds, seed } = { seconds: 30, seed: 1, ...(asked === undefined ? {} : (JSON.parse(asked) as object)) };
const USERS = 2;
const HOUR_MS = 3_600_000;

let suite: TestSuite;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-awkward-'));
  const env = heldSettings(folder);
  Object.assign(env['direct-runner'] ?? {}, standInSettings(['simA', 'simB', 'simC', 'simD']));
  suite = await startTestSuite({ env });
});
afterAll(async () => {
  await suite?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'awkward requests of users hold no event loop, and none is answered as a fault of ours',
  async () => {
    const users = await Promise.all(Array.from({ length: USERS }, () => suite.newUser()));
    for (const first of users)
      await ended(first, await submit(first, { project: exampleProject('proton-150mev-water', 100), ntasks: 1 }));
    const sinceMs = Date.now(); // what services load and compile at their start, and for their first task, is no request's
    const isBusy = () => Date.now() < sinceMs + 1_000 * seconds;
    const bySeed = (at: number) => randomOf(seed * USERS + at);
    const asking = users.map((user, at) => askAwkwardly(user, suite.gatewayUrl, bySeed(at), isBusy));
    const sent = (await Promise.all(asking)).flat();
    const { summary, ...found } = judgeRequests(folder, sinceMs, sent);
    process.stdout.write(`${summary}\n`);
    expect({ seed, ...found }).toEqual({ seed, tooLong: [], faults: [] });
    expect(sent.length).toBeGreaterThan(seconds / 10);
  },
  2 * HOUR_MS,
);
