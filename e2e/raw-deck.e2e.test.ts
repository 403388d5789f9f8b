import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  largestRelativeDifference,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

const PRIMARIES = 4_000;
const SEED = '20261121';

let suite: TestSuite;
let user: HttpSession;

beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

/** The files of the example deck, with another number of histories. */
function exampleDeck(): Record<string, string> {
  const folder = path.join(workspaceRoot(), 'examples', 'proton-150mev-water-simA');
  const files = readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
  const deck = Object.fromEntries(files) as Record<string, string>;
  return { ...deck, 'beam.dat': (deck['beam.dat'] ?? '').replace(/^NSTAT\s+\d+/m, `NSTAT ${PRIMARIES}`) };
}

describe("users' own files without any executable", () => {
  it('of simA give what the project gives with the same seed, to 1e-9', async () => {
    const body = { sim_type: 'simA', input_type: 'files', ntasks: 3, sim_data: exampleDeck(), seed: SEED };
    const { job_id: filesJob } = await user.call<{ job_id: string }>('POST', '/jobs/direct', body);
    const project = exampleProject('proton-150mev-water', PRIMARIES);
    const editorJob = await submit(user, { project, ntasks: 2, seed: SEED });
    for (const jobId of [filesJob, editorJob]) expect((await ended(user, jobId)).job_state).toBe('COMPLETED');

    const [fromFiles, fromProject] = await Promise.all([results(user, filesJob), results(user, editorJob)]);
    expect(fromFiles).toMatchObject({ primaries: PRIMARIES, engine: expect.stringMatching(/^reference /) });
    expect(fromFiles.estimators.map(({ name }) => name)).toEqual(fromProject.estimators.map(({ name }) => name));
    const [files, editor] = [flatten(fromFiles).values, flatten(fromProject).values];
    expect(editor.some((value) => value > 0)).toBe(true);
    expect(largestRelativeDifference(files, editor)).toBeLessThan(1e-9);
    const { simulations } = await user.request('GET', '/user/simulations', { query: {} });
    expect(simulations.find((job) => job.job_id === filesJob)?.title).toBe(Object.keys(exampleDeck())[0]);
  });

  it.each(['simB', 'simC', 'simD'])('of %s are refused', async (simType) => {
    const sim_data = { 'mine.inp': 'START 10.\n' };
    const body = { sim_type: simType, input_type: 'files', ntasks: 1, sim_data };
    const answer = await user.send('POST', '/jobs/direct', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INPUT_TYPE_UNSUPPORTED' } });
    expect(String(answer.body.message)).toContain(simType);
  });
});
