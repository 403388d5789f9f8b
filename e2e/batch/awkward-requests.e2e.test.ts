import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askAwkwardly, isRefusedByScheduler } from '../attacks/awkward/awkward-user.js';
import { heldSettings } from '../attacks/awkward/held.js';
import { judgeRequests } from '../attacks/awkward/judge-requests.js';
import { randomOf } from '../faults/fault-schedule.js';
import { type BatchSuite, batchReached, startBatchSuite, submitBatch } from '../fixtures/batch-fixture.js';

/* As attacks/awkward-requests.e2e.test.ts, with submissions to a cluster and options for its scheduler. */

const SECONDS = 20;
const SEED = 1;

let suite: BatchSuite;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-awkward-'));
  const { 'batch-bridge': env = {}, jobs: jobsEnv = {}, ...others } = heldSettings(folder);
  suite = await startBatchSuite({ env, jobsEnv, suite: { env: others } });
});
afterAll(async () => {
  await suite?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('awkward submissions to a cluster hold no event loop, and none is answered as a fault of ours', async () => {
  const user = await suite.newSsoSession();
  const first = await submitBatch(user, { ntasks: 1 });
  await batchReached(user, first, ({ job_state: state }) => state === 'COMPLETED');
  const sinceMs = Date.now();
  const isBusy = () => Date.now() < sinceMs + 1_000 * SECONDS;
  const sent = await askAwkwardly(user, suite.gatewayUrl, randomOf(SEED), isBusy, 'batch');
  const { summary, ...found } = judgeRequests(folder, sinceMs, sent);
  process.stdout.write(`${summary}\n`);
  expect(found).toEqual({ tooLong: [], faults: [] });
  // some have come as far as the scheduler
  expect(sent.filter((one) => one.status === 202 || isRefusedByScheduler(one))).not.toEqual([]);
}, 300_000);
