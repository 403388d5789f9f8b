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

interface Inputs {
  readonly files: Record<string, string>;
  readonly files_note?: string;
}
const inputsOf = (jobId: string) => user.call<Inputs>('GET', `/inputs?job_id=${jobId}`);

describe("an editor's project without any executable", () => {
  /** The example, with a fluence of pions beside what the built-in engine can score. */
  function projectWithPions(): Record<string, unknown> {
    const project = exampleProject('proton-150mev-water', PRIMARIES) as unknown as {
      scoringManager: { filters: object[]; outputs: { name: string; quantities: object[] }[] };
    };
    const { filters, outputs } = project.scoringManager;
    filters.push({ uuid: 'pions', name: 'Pions', particle: { pdg: 211 } });
    const quantity = { uuid: 'by-pions', name: 'Pion fluence', keyword: 'Fluence', filter: 'pions' };
    outputs[0]?.quantities.push({ ...quantity, modifiers: [] });
    return project;
  }

  it('is refused for one quantity, or runs without it, which its results say; its deck of simA gives the same', async () => {
    const sim_data = projectWithPions();
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data, seed: SEED };
    const refused = await user.send('POST', '/jobs/direct', { body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'PROJECT_UNSUPPORTED' } });

    const accepted = await user.call<{ job_id: string; warnings: { code: string }[] }>('POST', '/jobs/direct', {
      ...body,
      on_unsupported: 'omit',
    });
    const message = expect.stringMatching(/^"Pion fluence" of output "depth_dose" is left out: .*pion/);
    const warnings = [{ code: 'QUANTITY_OMITTED', message }];
    expect(accepted.warnings).toEqual(warnings);
    expect((await ended(user, accepted.job_id)).job_state).toBe('COMPLETED');
    const merged = await results(user, accepted.job_id);
    expect(merged).toMatchObject({ warnings, partial: false });
    expect(await user.call('GET', `/estimators?job_id=${accepted.job_id}`)).toMatchObject({ warnings });

    const { files, files_note } = await inputsOf(accepted.job_id);
    expect(files_note).toBeUndefined();
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['beam.dat', 'geo.dat', 'mat.dat', 'detect.dat']));
    const sentBack = { ...body, input_type: 'files', sim_data: files };
    const { job_id: again } = await user.call<{ job_id: string }>('POST', '/jobs/direct', sentBack);
    expect((await ended(user, again)).job_state).toBe('COMPLETED');
    const difference = largestRelativeDifference(flatten(await results(user, again)).values, flatten(merged).values);
    expect(difference).toBeLessThan(1e-9);
  });

  it.each([
    ['simB', 'fl_sim.inp'],
    ['simC', 'run.mac'],
    ['simD', 'topas_config.txt'],
  ])('shows the deck of %s, and what that cannot score of it', async (simType, file) => {
    const body = {
      sim_type: simType,
      input_type: 'editor',
      ntasks: 1,
      sim_data: exampleProject('proton-150mev-water', 10),
    };
    const { job_id: jobId } = await user.call<{ job_id: string }>('POST', '/jobs/direct', body);
    const { files, files_note } = await inputsOf(jobId);
    expect(Object.keys(files)).toContain(file);
    expect(Object.keys(files)).not.toContain('problem.json');
    expect(files_note).toContain(`in the deck of ${simType} `);
    expect(files_note).toContain(`"dLET" of output "depth_dose" is left out: `);
    await user.call('DELETE', `/jobs/direct?job_id=${jobId}`);
  });
});

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

  it('of simA are refused for what the built-in engine cannot score, or run without it', async () => {
    const deck = exampleDeck();
    const sim_data = { ...deck, 'detect.dat': `${deck['detect.dat']}\n    Quantity Alanine\n` };
    const body = { sim_type: 'simA', input_type: 'files', ntasks: 1, sim_data };
    const refused = await user.send('POST', '/jobs/direct', { body });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'sim_data/detect.dat' }] } });
    const omit = { ...body, on_unsupported: 'omit' };
    const { job_id: jobId } = await user.call<{ job_id: string }>('POST', '/jobs/direct', omit);
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    expect(await results(user, jobId)).toMatchObject({ warnings: [{ code: 'QUANTITY_OMITTED' }] });
  });

  it.each(['simB', 'simC', 'simD'])('of %s are refused', async (simType) => {
    const sim_data = { 'mine.inp': 'START 10.\n' };
    const body = { sim_type: simType, input_type: 'files', ntasks: 1, sim_data };
    const answer = await user.send('POST', '/jobs/direct', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INPUT_TYPE_UNSUPPORTED' } });
    expect(String(answer.body.message)).toContain(simType);
  });
});
