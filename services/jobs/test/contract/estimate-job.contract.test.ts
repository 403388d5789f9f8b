import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { projectWith } from '../project.js';
import { as, completeNextTask, openSuite, type SubmissionChanges, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const [alice, bob, carol] = [1n, 2n, 3n];
const { ESTIMATE_BASIS_MODEL, ESTIMATE_BASIS_ALIKE, ESTIMATE_BASIS_SAME } = jobs.EstimateBasis;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

const estimate = (userId: bigint, change: SubmissionChanges = {}, primaries = 100_000) =>
  as(userId, () => gateway.estimateJob(submission(change, primaries)));
const numberOf = (time: jobs.TimeEstimate['expected']) => Number(time?.seconds) + (time?.nanos ?? 0) / 1e9;

describe('EstimateJob OK', () => {
  it('is the model where nothing has run, for every simulator here, and stores nothing', async () => {
    const { primaries, simulators, slotCount } = await estimate(alice);
    expect([primaries, slotCount]).toEqual([100_000n, 0]);
    expect(simulators.map(({ simulator }) => simulator)).toEqual([1, 2, 3, 4]);
    for (const { engine, basis, jobCount, wall, processor } of simulators) {
      expect(engine).toMatch(/^reference /);
      expect({ basis, jobCount, wall }).toEqual({ basis: ESTIMATE_BASIS_MODEL, jobCount: 0, wall: undefined });
      expect(numberOf(processor?.low)).toBeLessThan(numberOf(processor?.expected));
      expect(numberOf(processor?.high)).toBeGreaterThan(numberOf(processor?.expected));
    }
    expect(await suite.sql('SELECT 1 FROM jobs')).toEqual([]);
  });

  it('learns from what jobs took: of the same user and project first, and by the clock from the slots', async () => {
    await runner.reportRunner({
      runnerId: 'runner-1',
      executables: [],
      confinement: jobs.Confinement.CONFINEMENT_NONE,
      refusesFiles: false,
      slots: 3,
    });
    const { jobId } = await as(alice, () => gateway.submitJob(submission({ taskCount: 2 }, 1_000)));
    for (let i = 0; i < 2; i += 1) await completeNextTask(suite.queue, runner);
    // as if it had taken 100 s
    await suite.sql(
      `UPDATE tasks SET start_time = tasks.end_time - interval '50 s' FROM jobs WHERE jobs.id = job_key AND job_id = $1`,
      [jobId],
    );
    await suite.sql(`UPDATE jobs SET state = 'COMPLETED' WHERE job_id = $1`, [jobId]);
    const twoTasks = { taskCount: 2 };
    const [same] = (await estimate(alice, twoTasks, 1_000)).simulators;
    expect(same).toMatchObject({ basis: ESTIMATE_BASIS_SAME, jobCount: 1 });
    expect(numberOf(same?.processor?.expected)).toBeCloseTo(100, 3);
    expect(numberOf(same?.wall?.expected)).toBeCloseTo(50, 3);
    const [four] = (await estimate(alice, { taskCount: 4 }, 1_000)).simulators; // two rounds on three slots
    expect(numberOf(four?.wall?.expected) / numberOf(four?.processor?.expected)).toBeCloseTo(0.5);
    // nobody learns that somebody else has run the same
    expect((await estimate(bob, twoTasks, 1_000)).simulators[0]).toMatchObject({ basis: ESTIMATE_BASIS_ALIKE });
    const other = projectWith(1_000, (project) => Object.assign(project.beam, { energy: 140 }));
    expect((await estimate(alice, { simDataJson: other })).simulators[0]).toMatchObject({
      basis: ESTIMATE_BASIS_ALIKE,
    });
  });

  it('says of a deck the one simulator that reads it', async () => {
    const simDataJson = Buffer.from(JSON.stringify({ 'fl_sim.inp': 'START          2500.\nSTOP\n' }));
    const inputType = jobs.InputType.INPUT_TYPE_FILES;
    await runner.reportRunner({
      runnerId: 'runner-2',
      executables: [{ simulator: jobs.Simulator.SIMULATOR_SIM_B, version: '4.1' }],
      confinement: jobs.Confinement.CONFINEMENT_NONE,
      refusesFiles: false,
      slots: 1,
    });
    await suite.sql(`DELETE FROM runners WHERE runner_id = 'runner-1'`);
    const simulator = jobs.Simulator.SIMULATOR_SIM_B;
    const { simulators, primaries } = await estimate(alice, { simulator, inputType, simDataJson });
    expect(primaries).toBe(2500n);
    expect(simulators.map(({ engine }) => engine)).toEqual(['simB 4.1']);
  });
});

describe('EstimateJob OK while others wait', () => {
  let busy: Suite;
  beforeAll(async () => {
    busy = await openSuite();
    await busy.start({ dispatchWindowTasks: 2 });
  });
  afterAll(() => busy.stop());

  it('counts the tasks before it by turns, and the slots of runners that have its simulator', async () => {
    const client = busy.client('gateway');
    const worker = busy.client('direct-runner');
    const positionOf = async (userId: bigint) => {
      const { tasksBefore, waitingTaskCount, slotCount } = await as(userId, () => client.estimateJob(submission()));
      return { tasksBefore, waitingTaskCount, slotCount };
    };
    const report = (runnerId: string, slots: number, version?: string) =>
      worker.reportRunner({
        runnerId,
        executables: version === undefined ? [] : [{ simulator: jobs.Simulator.SIMULATOR_SIM_A, version }],
        confinement: jobs.Confinement.CONFINEMENT_NONE,
        refusesFiles: false,
        slots,
      });
    await report('plain', 3);
    await as(alice, () => client.submitJob(submission({ taskCount: 5 })));
    await waitFor(async () => (await busy.sql('SELECT 1 FROM outbox WHERE in_flight_until > now()')).length === 2);
    await as(bob, () => client.submitJob(submission({ taskCount: 6 })));
    const moment = { waitingTaskCount: 11, slotCount: 3 };
    expect(await positionOf(carol)).toEqual({ ...moment, tasksBefore: 2 });
    expect(await positionOf(alice)).toEqual({ ...moment, tasksBefore: 2 + 3 + 3 });
    expect(await positionOf(bob)).toEqual({ ...moment, tasksBefore: 2 + 6 + 3 });
    await report('old', 1, '1.0');
    await report('new', 2, '1.1');
    expect(await positionOf(carol)).toEqual({ waitingTaskCount: 11, slotCount: 2, tasksBefore: 2 });
  });
});

describe('EstimateJob INVALID_ARGUMENT', () => {
  it('refuses what a submission is refused for, naming the field', async () => {
    const wrong = (change: SubmissionChanges, primaries?: number) =>
      estimate(alice, change, primaries).catch((err: unknown) => err);
    expect(await wrong({ taskCount: 0 })).toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field: '/ntasks' }] });
    expect(await wrong({ taskCount: 11 }, 10)).toMatchObject({ reason: 'REQUEST_INVALID' });
    expect(await wrong({ simDataJson: Buffer.from('{"beam":{"energy":-1}}') })).toMatchObject({
      reason: 'PROJECT_INVALID',
    });
  });
});

describe('EstimateJob of a large project', () => {
  const simDataJson = projectWith(100_000, (project) => Object.assign(project, { note: 'x'.repeat(600_000) }));

  it('OK: in pieces', async () => {
    expect((await estimate(bob, { simDataJson })).primaries).toBe(100_000n);
  });

  it('INVALID_ARGUMENT: more or less than its header says, and above the limit, before it comes', async () => {
    const send = (bytes: number) => estimate(bob, { simDataJson, simDataBytes: BigInt(bytes) });
    for (const bytes of [simDataJson.length - 1, simDataJson.length + 1]) {
      await expect(send(bytes)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', fields: [{ field: '/sim_data' }] });
    }
    await expect(send(2 ** 40)).rejects.toMatchObject({ reason: 'SIM_DATA_TOO_LARGE' });
  });
});
