import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findGeant4, type HttpSession, hasBubblewrap, processTree, waitFor, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  type JobStatus,
  jobStatus,
  type Results,
  reached,
  results,
  startTestSuite,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

const geant4 = findGeant4();
const ENGINE = /^simC \d+\.\d+\.\d+ own tables - not for claims about physics$/;
/** More than any test waits for. */
const ENDLESS = 200_000;
/** Geant4 needs seconds to begin; this is for a machine that does much else. */
const START_LIMIT_MS = 180_000;
/** Seconds of work, so that a kill meets it. */
const KILLED_PRIMARIES = 6_000;
/** 5.45 MeV cm²/g over the 78.5 cm² of the detector. */
const ENTRANCE_DOSE = 5.45 / 78.54;
const reason = geant4 === undefined ? ' (skipped: no geant4-pybind; npm test installs it where it can)' : '';

(geant4 === undefined ? describe.skip : describe)(`jobs of simC on a real Geant4${reason}`, () => {
  let suite: TestSuite;
  let user: HttpSession;

  beforeAll(async () => {
    const env = {
      RUNNER_SIMULATORS: JSON.stringify({ simC: geant4 }),
      RUNNER_SLOTS: '2',
      RUNNER_PROCESS_NICENESS: '0', // tests wait for it, also on a machine that does much else
      ...(hasBubblewrap() ? {} : { RUNNER_CONFINEMENT: 'none', RUNNER_ALLOW_UNCONFINED_FILES: 'true' }),
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

  const submitWater = (primaries: number, seed: string) =>
    submit({
      input_type: 'editor',
      ntasks: 2,
      on_unsupported: 'omit',
      seed,
      sim_data: exampleProject('proton-150mev-water', primaries),
    });

  /** Processes of Geant4 below any runner. */
  const programs = (): number[] => {
    const names = suite.names().filter((name) => name.startsWith('direct-runner'));
    const runners = names.map((name) => suite.process(name)).filter((runner) => runner.isRunning());
    return runners.flatMap((runner) => processTree(runner.pid).filter(isProgram));
  };

  it('stop protons of 150 MeV in water where they stop, and say whose tables they rest on', async () => {
    const jobId = await submitWater(3000, '1');
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    const merged = await results(user, jobId);
    expect([merged.engine, merged.partial]).toEqual([expect.stringMatching(ENGINE), false]);
    const { unit, values, dimensions } = depthDose(merged);
    expect(unit).toBe('MeV/g/prim');
    const depths = dimensions.at(-1) ?? [];
    const peak = Math.max(...values);
    const behind = values.findIndex((value, bin) => bin > values.indexOf(peak) && value < 0.8 * peak);
    expect(Math.abs((depths[behind] ?? 0) - 15.83)).toBeLessThan(0.1);
    expect((values[0] ?? 0) / ENTRANCE_DOSE).toBeGreaterThan(0.95);
    expect((values[0] ?? 0) / ENTRANCE_DOSE).toBeLessThan(1.1);
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

  it('end with what they have when they are stopped', async () => {
    const jobId = await submitWater(ENDLESS, '2');
    await reached(user, jobId, areUnderWay, START_LIMIT_MS);
    await user.call('POST', `/jobs/direct/stop?job_id=${jobId}`);
    const status = await ended(user, jobId);
    expect(status).toMatchObject({ job_state: 'COMPLETED', stopped: true });
    const simulated = status.job_tasks_status.map((task) => task.simulated_primaries);
    expect(simulated.every((primaries) => primaries > 0 && primaries < ENDLESS / 2)).toBe(true);
    const merged = await results(user, jobId);
    expect(merged.primaries).toBe(simulated.reduce((sum, primaries) => sum + primaries, 0));
    // normalised to the primaries that there were
    expect((depthDose(merged).values[0] ?? 0) / ENTRANCE_DOSE).toBeCloseTo(1, 0);
  });

  it('leave no process when they are cancelled', async () => {
    const jobId = await submitWater(ENDLESS, '3');
    await reached(user, jobId, areUnderWay, START_LIMIT_MS);
    expect(programs()).toHaveLength(2);
    await user.call('DELETE', `/jobs/direct?job_id=${jobId}`);
    expect((await jobStatus(user, jobId)).job_state).toBe('CANCELED');
    await waitFor(() => programs().length === 0, { what: 'the end of Geant4' });
  });

  it('give the same bytes again, though the program and then the runner were killed', async () => {
    const undisturbed = await submitWater(KILLED_PRIMARIES, '4');
    expect((await ended(user, undisturbed)).job_state).toBe('COMPLETED');
    const jobId = await submitWater(KILLED_PRIMARIES, '4');
    await reached(user, jobId, areUnderWay, START_LIMIT_MS);
    const [program = 0] = programs();
    process.kill(program, 'SIGKILL');
    await waitFor(() => programs().length === 2 && !programs().includes(program), {
      what: 'the next attempt',
      timeoutMs: START_LIMIT_MS,
    });
    await suite.process('direct-runner-1').kill();
    await suite.addCopy('direct-runner');
    expect((await ended(user, jobId, 240_000)).job_state).toBe('COMPLETED');
    const [before, after] = [await results(user, undisturbed), await results(user, jobId)];
    expect(after).toMatchObject({ primaries: KILLED_PRIMARIES, partial: false, engine: expect.stringMatching(ENGINE) });
    expect(flatten(after)).toEqual(flatten(before));
  });
});

function areUnderWay({ job_tasks_status: tasks }: JobStatus): boolean {
  return tasks.every((task) => task.simulated_primaries > 0);
}

function isProgram(pid: number): boolean {
  try {
    const [executable, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return executable === geant4?.executable && args.includes('tally_geant4');
  } catch {
    return false; // it has ended
  }
}

function depthDose({ estimators }: Results) {
  const page = estimators.find(({ name }) => name === 'depth_dose')?.pages.find(({ name }) => name === 'Dose');
  if (page === undefined) throw new Error('there is no depth dose');
  return page.data;
}
