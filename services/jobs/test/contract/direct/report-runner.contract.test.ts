import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { as, type Copy, openSuite, type Suite, submission } from '../../suite.js';

const { SIMULATOR_SIM_A, SIMULATOR_SIM_B } = jobs.Simulator;
const A_1 = { simulator: SIMULATOR_SIM_A, version: '1.0.1' };
const B_4 = { simulator: SIMULATOR_SIM_B, version: '4.5' };
const FILES = { inputType: jobs.InputType.INPUT_TYPE_FILES, simulator: SIMULATOR_SIM_B };
const DECK = Buffer.from(JSON.stringify({ 'mine.inp': 'START          2500.\nSTOP\n' }));

let suite: Suite;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ runnerExpiryMs: 1_500, cleanUpIntervalMs: 50 });
});
afterAll(() => suite.stop());

const CONFINED = { confinement: jobs.Confinement.CONFINEMENT_BUBBLEWRAP, refusesFiles: false };
const report = (runnerId: string, executables: jobs.SimulatorExecutable[], confinement = CONFINED) =>
  suite.client('direct-runner').reportRunner({ runnerId, executables, ...confinement });
async function engines(): Promise<string[]> {
  const { simulators } = await as(1n, () => suite.client('gateway').listSimulators({}));
  return simulators.map(({ engine }) => engine);
}
const confinements = async () => (await as(1n, () => suite.client('gateway').listSimulators({}))).confinements;
const submitFiles = () => as(1n, () => suite.client('gateway').submitJob(submission({ ...FILES, simDataJson: DECK })));

describe('ReportRunner OK', () => {
  it('makes a simulator count for good, whatever other runners have and when all of them are silent', async () => {
    expect((await engines())[0]).toMatch(/^reference /);
    await expect(submitFiles()).rejects.toMatchObject({ reason: 'INPUT_TYPE_UNSUPPORTED', status: 'INVALID_ARGUMENT' });
    await report('one', [A_1, B_4]);
    expect((await engines()).slice(0, 2)).toEqual(['simA 1.0.1', 'simB 4.5']);
    await report('two', [A_1]);
    expect((await engines()).slice(0, 2)).toEqual(['simA 1.0.1', 'simB 4.5']);
    await waitFor(async () => (await confinements()).length === 0, { what: 'the end of both' });
    expect((await engines()).slice(0, 2)).toEqual(['simA 1.0.1', 'simB 4.5']);
    expect((await submitFiles()).jobId).toMatch(/^\d{8}-/);
  });

  it('has other simulators refused from then on, unless the site lets the built-in engine stand in', async () => {
    await report('three', [A_1]);
    const submitC = (copy: Copy) =>
      as(1n, () =>
        suite
          .client('gateway', copy)
          .submitJob(submission({ simulator: jobs.Simulator.SIMULATOR_SIM_C, taskCount: 1 })),
      );
    const [refusing, warning] = [
      await suite.start({ builtInEngine: 'auto' }),
      await suite.start({ builtInEngine: 'warn' }),
    ];
    await expect(submitC(refusing)).rejects.toMatchObject({
      reason: 'SIMULATOR_UNAVAILABLE',
      fields: [{ field: '/sim_type', message: 'is not installed here' }],
    });
    const { simulators } = await as(1n, () => suite.client('gateway', refusing).listSimulators({}));
    expect(simulators.map(({ isAvailable }) => isAvailable)).toEqual([true, true, false, false]);
    const { jobId, warnings } = await submitC(warning);
    expect(warnings).toEqual([{ code: 'SIMULATOR_REPLACED', message: expect.stringContaining('simC') }]);
    expect(suite.results.inputs.get(jobId)?.header?.warnings).toEqual(warnings);
  });

  it('tells what confines simulators, and refuses files while a runner of the simulator refuses them', async () => {
    const { CONFINEMENT_NONE, CONFINEMENT_BUBBLEWRAP } = jobs.Confinement;
    await report('seven', [B_4]);
    expect(await confinements()).toEqual([CONFINEMENT_BUBBLEWRAP]);
    await report('eight', [A_1], { confinement: CONFINEMENT_NONE, refusesFiles: true }); // of another pool
    expect((await submitFiles()).jobId).toMatch(/^\d{8}-/);
    await report('eight', [B_4], { confinement: CONFINEMENT_NONE, refusesFiles: true });
    expect(await confinements()).toEqual([CONFINEMENT_BUBBLEWRAP, CONFINEMENT_NONE]);
    await expect(submitFiles()).rejects.toMatchObject({ reason: 'FILES_UNCONFINED', status: 'INVALID_ARGUMENT' });
    await report('eight', [B_4], { confinement: CONFINEMENT_NONE, refusesFiles: false }); // asked for
    expect((await submitFiles()).jobId).toMatch(/^\d{8}-/);
    await waitFor(async () => (await confinements()).length === 0, { what: 'the end of both' });
  });

  it('names every version where runners differ, and only the rows of the living are kept', async () => {
    await report('four', [A_1]);
    await report('five', [{ ...A_1, version: '1.0.2' }]);
    expect((await engines())[0]).toBe('simA 1.0.1 or 1.0.2');
    const listed = () => suite.sql<{ runner_id: string }>('SELECT runner_id FROM runners ORDER BY runner_id');
    const isKept = async () => (await listed()).every(({ runner_id }) => ['five', 'four'].includes(runner_id));
    await waitFor(isKept, { what: 'the rows of runners that are gone to go' });
  });

  it('gives way to what the operator has written down', async () => {
    const copy = await suite.start({ simulators: new Map([['simC', '11.2']]) });
    await report('six', [A_1]);
    const { simulators } = await as(1n, () => suite.client('gateway', copy).listSimulators({}));
    expect(simulators.map(({ engine }) => engine.split(' ')[0])).toEqual([
      'reference',
      'reference',
      'simC',
      'reference',
    ]);
  });
});

describe('ReportRunner INVALID_ARGUMENT', () => {
  it.each([
    ['', []],
    ['x'.repeat(257), []],
    ['one', [A_1, A_1]],
    ['one', [{ simulator: jobs.Simulator.SIMULATOR_UNSPECIFIED, version: '' }]],
    ['one', [{ ...A_1, version: '<b>' }]],
    ['one', [{ ...A_1, version: '1'.repeat(61) }]],
  ])('refuses runner "%.10s" with %j', async (runnerId, executables) => {
    await expect(report(runnerId, executables)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });
});

describe('ReportRunner PERMISSION_DENIED', () => {
  it('is for runners', async () => {
    await expect(
      as(1n, () => suite.client('gateway').reportRunner({ runnerId: 'one', executables: [], ...CONFINED })),
    ).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
