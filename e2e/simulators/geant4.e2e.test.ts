import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findGeant4, type HttpSession, waitFor, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  jobStatus,
  results,
  startTestSuite,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

const geant4 = findGeant4();
const ENGINE = /^simC \d+\.\d+\.\d+ own tables - not for claims about physics$/;
const reason = geant4 === undefined ? ' (skipped: no geant4-pybind; npm test installs it where it can)' : '';

(geant4 === undefined ? describe.skip : describe)(`jobs of simC on a real Geant4${reason}`, () => {
  let suite: TestSuite;
  let user: HttpSession;

  beforeAll(async () => {
    const env = {
      RUNNER_SIMULATORS: JSON.stringify({ simC: geant4 }),
      RUNNER_ALLOW_UNCONFINED_FILES: 'true', // where the machine has no bubblewrap
    };
    suite = await startTestSuite({ env: { 'direct-runner': env } });
    user = await suite.newUser();
    const engine = async () => {
      const { simulators } = await user.call<{ simulators: { sim_type: string; engine: string }[] }>(
        'GET',
        '/simulators',
      );
      return simulators.find(({ sim_type }) => sim_type === 'simC')?.engine ?? '';
    };
    await waitFor(async () => ENGINE.test(await engine()), { what: 'the report of the runner' });
  });
  afterAll(() => suite?.stop());

  const submit = async (body: Record<string, unknown>): Promise<string> =>
    (await user.call<{ job_id: string }>('POST', '/jobs/direct', { sim_type: 'simC', ...body })).job_id;

  it('stop protons of 150 MeV in water where they stop, and say whose tables they rest on', async () => {
    const sim_data = exampleProject('proton-150mev-water', 400);
    const jobId = await submit({ input_type: 'editor', ntasks: 2, on_unsupported: 'omit', sim_data });
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    const { engine, partial, estimators } = await results(user, jobId);
    expect([engine, partial]).toEqual([expect.stringMatching(ENGINE), false]);
    const page = estimators.find(({ name }) => name === 'depth_dose')?.pages.find(({ name }) => name === 'Dose');
    const { unit, values = [], dimensions = [] } = page?.data ?? {};
    expect(unit).toBe('MeV/g/prim');
    const depths = dimensions.at(-1) ?? [];
    const dose: readonly number[] = values;
    const peak = Math.max(...dose);
    const behind = dose.findIndex((value, bin) => bin > dose.indexOf(peak) && value < 0.8 * peak);
    expect(Math.abs((depths[behind] ?? 0) - 15.83)).toBeLessThan(0.1);
    // 5.4 MeV cm²/g at the entrance, over the 78.5 cm² of the detector
    expect((dose[0] ?? 0) / (5.45 / 78.54)).toBeGreaterThan(0.95);
    expect((dose[0] ?? 0) / (5.45 / 78.54)).toBeLessThan(1.1);
  });

  it('fail with the line and the sentence of Geant4 where it refuses the deck, at once', async () => {
    const folder = path.join(workspaceRoot(), 'simulators/geant4/tests/deck');
    const [geometry = '', macro = ''] = ['geometry.gdml', 'run.mac'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8'),
    );
    const sim_data = {
      'geometry.gdml': geometry,
      'run.mac': macro.replace('/gps/particle proton', '/gps/particle protron'),
    };
    const jobId = await submit({ input_type: 'files', ntasks: 1, sim_data });
    expect((await ended(user, jobId)).job_state).toBe('FAILED');
    const [task] = (await jobStatus(user, jobId)).job_tasks_status;
    expect(task?.failure).toMatch(/SIMULATOR_REFUSED.*run\.mac, line 3: Geant4 refuses \/gps\/particle protron/);
  });
});
