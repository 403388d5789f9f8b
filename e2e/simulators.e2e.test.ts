import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Behaviour,
  createRunDirectory,
  DIRECTORY_VARIABLE,
  type HttpSession,
  readStandInNotes,
  removeRunDirectory,
  STAND_IN_VERSIONS,
  type StandInSimulator,
  standInEnvironment,
  standInValue,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import {
  ended,
  exampleProject,
  jobStatus,
  type Results,
  reached,
  results,
  startTestSuite,
  type TestSuite,
} from './fixtures/suite-fixture.js';

const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
const TASKS = 10;
const PRIMARIES = 1_003;
/**
 * By number of arrival of the task: three of the first ten never give a whole output, the eleventh never ends, the twelfth simulates
 * more than it was asked for.
 */
const BEHAVIOURS: Readonly<Record<number, Behaviour>> = {
  2: 'crash',
  5: 'silent',
  8: 'half',
  11: 'hang',
  12: 'miscount',
};
const MEV_G_PER_GRAY = 1 / 1.602176634e-10;
/** From the unit of the stand-in to that of a dose page, MeV/g. */
const DOSE_FACTOR: Readonly<Record<StandInSimulator, number>> = {
  simA: 1,
  simB: 1000,
  simC: MEV_G_PER_GRAY,
  simD: MEV_G_PER_GRAY,
};

let suite: TestSuite;
let user: HttpSession;
let directory: string;
const folderOf = (simType: StandInSimulator) => path.join(directory, simType);

beforeAll(async () => {
  directory = createRunDirectory('stand-ins');
  for (const simType of SIM_TYPES) mkdirSync(folderOf(simType));
  const folders = Object.fromEntries(SIM_TYPES.map((simType) => [simType, folderOf(simType)]));
  suite = await startTestSuite({ env: standInEnvironment(folders, BEHAVIOURS) });
  user = await suite.newUser();
  // runners report what they have found; until then the built-in engine would take the projects
  await waitFor(async () => (await engines()).join() === SIM_TYPES.map(engineOf).join(), { what: 'the executables' });
});
afterAll(async () => {
  await suite?.stop();
  removeRunDirectory(directory);
});

const engineOf = (simType: StandInSimulator) => `${simType} ${STAND_IN_VERSIONS[simType]}`;

async function engines(): Promise<string[]> {
  const { simulators } = await user.call<{ simulators: { engine: string }[] }>('GET', '/simulators');
  return simulators.map(({ engine }) => engine);
}

async function submit(body: Record<string, unknown>): Promise<string> {
  const { job_id: jobId } = await user.call<{ job_id: string }>('POST', '/jobs/direct', body);
  return jobId;
}

/** Σ n·x / Σ n over the tasks that ended well, from what the stand-ins noted. */
function weightedMean(simType: StandInSimulator, bin: number): number {
  const notes = readStandInNotes(folderOf(simType)).slice(0, TASKS);
  const good = notes.filter(({ number }) => BEHAVIOURS[number] === undefined);
  const histories = good.reduce((sum, { primaries }) => sum + primaries, 0);
  return good.reduce((sum, { seed, primaries }) => sum + primaries * standInValue(seed, bin), 0) / histories;
}

/** A deck that the converter made, as if a user had written it. */
function readDeck(driver: string, project: string): Record<string, string> {
  const folder = path.join(workspaceRoot(), 'packages/simulators/test/golden', driver, project);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.json'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

/** Numbers of the processes whose environment names this folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${DIRECTORY_VARIABLE}=${folder}\0`);
    } catch {
      return false; // it has ended
    }
  });
}

function findPage({ estimators }: Results, estimator: string, name: string) {
  const page = estimators.find((one) => one.name === estimator)?.pages.find((one) => one.name === name);
  if (page === undefined) throw new Error(`no page ${name} of ${estimator}`);
  return page.data;
}

describe.each(SIM_TYPES)('a project on %s', (simType) => {
  it('of which 3 of 10 tasks fail has the weighted mean of the other 7, under the names of the project', async () => {
    const sim_data = exampleProject('proton-bone-slab', PRIMARIES);
    const jobId = await submit({ sim_type: simType, input_type: 'editor', ntasks: TASKS, sim_data });
    const status = await ended(user, jobId);
    const merged = await results(user, jobId);

    expect(status.job_state).toBe('FAILED');
    const states = status.job_tasks_status.map(({ task_state }) => task_state);
    expect(states.filter((state) => state === 'COMPLETED')).toHaveLength(TASKS - 3);
    expect(states.filter((state) => state === 'FAILED')).toHaveLength(3);
    const notes = readStandInNotes(folderOf(simType));
    expect(notes).toHaveLength(TASKS);
    expect(notes.reduce((sum, { primaries }) => sum + primaries, 0)).toBe(PRIMARIES);
    expect(merged).toMatchObject({ partial: true, tasks_merged: TASKS - 3, engine: engineOf(simType) });

    const depth = findPage(merged, 'depth_dose', 'Dose');
    expect(depth.unit).toBe('MeV/g/prim');
    expect(depth.dimensions).toEqual([Array.from({ length: 400 }, (_, bin) => expect.closeTo(0.05 * (bin + 0.5), 5))]);
    const map = findPage(merged, 'dose_map', 'Dose');
    expect(map.dimensions.map((centers) => centers.length)).toEqual([60, 100]);
    for (const { values } of [depth, map]) {
      for (const [bin, value] of values.entries()) {
        const expected = DOSE_FACTOR[simType] * weightedMean(simType, bin);
        expect(Math.abs(value / expected - 1)).toBeLessThan(simType === 'simB' ? 1e-6 : 1e-9); // simB: 32-bit numbers
      }
    }
    expect(findPage(merged, 'energy_in_bone', 'Energy')).toMatchObject({ unit: 'MeV/prim', dimensions: [] });

    const crashed = status.job_tasks_status.find(({ failure = '' }) => failure.includes('SIMULATOR_CRASHED'));
    const { logfiles } = await user.call<{ logfiles: Record<string, string> }>('GET', `/logfiles?job_id=${jobId}`);
    expect(logfiles[`task_${crashed?.task_id}`]).toMatch(/^the simulator ended: (signal SIG[A-Z]+|exit code [1-9])/m);
  });
});

describe.each(SIM_TYPES)('a task of %s that hangs', (simType) => {
  it('shows how far it has come, and is stopped by a cancel', async () => {
    const sim_data = exampleProject('proton-bone-slab', 1000);
    const jobId = await submit({ sim_type: simType, input_type: 'editor', ntasks: 1, sim_data });
    await reached(user, jobId, ({ job_tasks_status: [task] }) => task?.simulated_primaries === 500);
    const startedAt = performance.now();
    await user.call('DELETE', `/jobs/direct?job_id=${jobId}`);
    expect((await jobStatus(user, jobId)).job_state).toBe('CANCELED');
    await waitFor(() => processesOf(folderOf(simType)).length === 0, { what: 'the end of the task' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe.each(SIM_TYPES)('a task of %s that simulates another number than it has', (simType) => {
  it('fails with both numbers, whether its files or its log say so', async () => {
    const sim_data = exampleProject('proton-bone-slab', PRIMARIES);
    const jobId = await submit({ sim_type: simType, input_type: 'editor', ntasks: 1, sim_data });
    expect((await ended(user, jobId)).job_state).toBe('FAILED');
    const status = await jobStatus(user, jobId);
    expect(JSON.stringify(status)).toContain(`${PRIMARIES + 1} instead of ${PRIMARIES}`);
  });
});

describe("users' own files", () => {
  const DECK = {
    'mine.inp': [
      'TITLE',
      'my own deck',
      'USRBIN          10.0      DOSE     -31.0       1.0       1.0       2.0slab',
      'USRBIN          -1.0      -1.0       0.0       1.0       1.0       4.0&',
      'START          300.0',
      'STOP',
      '',
    ].join('\n'),
  };

  it('of simA give phase space: the particles of all tasks, in the order of the tasks', async () => {
    const before = readStandInNotes(folderOf('simA')).length;
    const deck = {
      'beam.dat': 'NSTAT 14\nRNDSEED 1\n',
      'mat.dat': '',
      'geo.dat': '',
      'detect.dat':
        'Geometry Plane\n    Name exit\nOutput\n    Filename particles.bdo\n    Geo exit\n    Quantity MCPL\n',
    };
    const jobId = await submit({ sim_type: 'simA', input_type: 'files', ntasks: 4, sim_data: deck });
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    const notes = readStandInNotes(folderOf('simA')).slice(before);
    const counts = notes.map(({ primaries }) => primaries).toSorted((a, b) => b - a);
    expect(counts).toEqual([4, 4, 3, 3]);
    const { estimators } = await results(user, jobId);
    const { values, dimensions, errors, unit } = estimators[0]?.pages[0]?.data ?? {};
    expect(dimensions).toEqual([8, 14].map((size) => Array.from({ length: size }, (_, index) => index + 1)));
    expect([unit, errors]).toEqual(['', Array(8 * 14).fill(null)]);
    // the stand-in numbers its particles from 0 and takes their energies from the seed, which tells the tasks apart
    const particles = Array.from({ length: 14 }, (_, index) => values?.slice(8 * index, 8 * index + 8) ?? []);
    expect(particles.map(([pdg, x]) => [pdg, x])).toEqual(
      [4, 4, 3, 3].flatMap((count) => Array.from({ length: count }, (_, index) => [2212, index])),
    );
    const firsts = [0, 4, 8, 11].map((at) => particles[at]?.[7]);
    expect(new Set(firsts)).toEqual(new Set(notes.map(({ seed }) => standInValue(seed, 0))));
  });

  it('run on the executable of the deployment, split as they ask, under their own names', async () => {
    const before = readStandInNotes(folderOf('simB')).length;
    const jobId = await submit({ sim_type: 'simB', input_type: 'files', ntasks: 4, sim_data: DECK });
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    const notes = readStandInNotes(folderOf('simB')).slice(before);
    expect(notes.map(({ primaries }) => primaries)).toEqual([75, 75, 75, 75]);
    expect(new Set(notes.map(({ seed }) => seed)).size).toBe(4);
    const merged = await results(user, jobId);
    expect(merged).toMatchObject({ primaries: 300, partial: false, engine: engineOf('simB') });
    expect(merged.estimators).toMatchObject([{ name: '31', pages: [{ name: 'DOSE', data: { unit: 'MeV/g/prim' } }] }]);
    const inputs = await user.call<Record<string, unknown>>('GET', `/inputs?job_id=${jobId}`);
    expect(inputs).toMatchObject({ input_type: 'files', input: DECK });
  });

  it.each([
    ['simA', 'sim-a'],
    ['simC', 'sim-c'],
    ['simD', 'sim-d'],
  ] as const)('of %s run like those of simB, and are merged by the histories of the tasks', async (simType, driver) => {
    const before = readStandInNotes(folderOf(simType)).length;
    const sim_data = readDeck(driver, 'water-tank');
    const jobId = await submit({ sim_type: simType, input_type: 'files', ntasks: 3, sim_data });
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
    const notes = readStandInNotes(folderOf(simType)).slice(before);
    const histories = notes.reduce((sum, { primaries }) => sum + primaries, 0);
    const mean = notes.reduce((sum, { seed, primaries }) => sum + primaries * standInValue(seed, 0), 0) / histories;
    const merged = await results(user, jobId);
    expect(merged).toMatchObject({ primaries: histories, partial: false, engine: engineOf(simType) });
    const depths = merged.estimators.flatMap(({ pages }) => pages).filter(({ data }) => data.values.length === 400);
    expect(depths).not.toEqual([]);
    // in the simulator's own unit: nobody has asked for another
    for (const { data } of depths) expect(Math.abs((data.values[0] ?? 0) / mean - 1)).toBeLessThan(1e-9);
  });

  it.each(SIM_TYPES)('of %s may be those that GET /inputs shows of a project', async (simType) => {
    const sim_data = exampleProject('proton-bone-slab', PRIMARIES);
    const project = await submit({ sim_type: simType, input_type: 'editor', ntasks: 1, sim_data });
    expect((await ended(user, project)).job_state).toBe('COMPLETED');
    const { files } = await user.call<{ files: object }>('GET', `/inputs?job_id=${project}`);
    const again = await submit({ sim_type: simType, input_type: 'files', ntasks: 1, sim_data: files });
    expect((await ended(user, again)).job_state).toBe('COMPLETED');
    const shapeOf = async (jobId: string) =>
      (await results(user, jobId)).estimators.map(({ name, pages }) => [name, pages.map((page) => page.data.unit)]);
    expect(await shapeOf(again)).toEqual(await shapeOf(project));
  });

  it.each([
    // a target that moves: 20 times, and the number of histories of the file that includes the other
    [
      'simD',
      {
        'run.txt': [
          'includeFile = base.txt',
          'SO/PENCIL/NumberOfHistoriesInRun = 30',
          'd:Tf/TimelineEnd = 20. s',
          'i:Tf/NumberOfSequentialTimes = 20',
        ].join('\n'),
        'base.txt': [
          's:So/Pencil/Type = "Beam"',
          'i:So/Pencil/NumberOfHistoriesInRun = 10',
          's:Sc/Entry/Quantity = "EnergyDeposit"',
          's:Sc/Entry/Component = "World"',
          's:Sc/Entry/OutputFile = "entry"',
        ].join('\n'),
      },
    ],
    // a run in a macro that another executes
    [
      'simC',
      {
        'geometry.gdml': '<gdml/>',
        'beam.mac': '/run/beamOn 600\n',
        'main.mac': [
          '/run/initialize',
          '/score/create/boxMesh b',
          '/score/mesh/nBin 1 1 4',
          '/score/quantity/energyDeposit e MeV',
          '/score/close',
          '/control/execute beam.mac',
          '/score/dumpQuantityToFile b e out.txt',
        ].join('\n'),
      },
    ],
  ] as const)(
    'of %s in several parts have the histories that the simulator makes of them',
    async (simType, sim_data) => {
      const before = readStandInNotes(folderOf(simType)).length;
      const jobId = await submit({ sim_type: simType, input_type: 'files', ntasks: 7, sim_data });
      expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
      const notes = readStandInNotes(folderOf(simType)).slice(before);
      expect(notes.map(({ primaries }) => primaries).sort((a, b) => a - b)).toEqual([85, 85, 86, 86, 86, 86, 86]);
      expect(new Set(notes.map(({ seed }) => seed)).size).toBe(7);
      const merged = await results(user, jobId);
      expect(merged).toMatchObject({ primaries: 600, partial: false });
      const mean = notes.reduce((sum, { seed, primaries }) => sum + primaries * standInValue(seed, 0), 0) / 600;
      const [page] = merged.estimators.flatMap(({ pages }) => pages);
      expect((page?.data.values[0] ?? 0) / mean).toBeCloseTo(1, 9);
    },
  );

  it('are refused with the name of the file that is wrong', async () => {
    const body = { sim_type: 'simB', input_type: 'files', ntasks: 1, sim_data: { 'mine.inp': 'STOP\n' } };
    const reply = await user.send('POST', '/jobs/direct', { body });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('sim_data/mine.inp');
  });
});

describe('GET /simulators', () => {
  it('names the executables that the runners have found, in the versions that these say of themselves', async () => {
    const { simulators } = await user.call<{ simulators: unknown[] }>('GET', '/simulators');
    expect(simulators).toMatchObject(
      SIM_TYPES.map((simType) => ({ sim_type: simType, available: true, engine: engineOf(simType) })),
    );
  });
});
