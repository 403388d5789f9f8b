import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import { ended, exampleProject, results, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

/** Independent runs to one target; their mean distance from the truth is known to about a tenth of itself by a run each. */
const RUNS = 10;
const LONG_PRIMARIES = 400_000;

let suite: TestSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

const depthDose = async (jobId: string) => {
  expect(await ended(user, jobId, 300_000)).toMatchObject({ job_state: 'COMPLETED' });
  const { estimators } = await results(user, jobId);
  return estimators.find(({ name }) => name === 'depth_dose')?.pages[0]?.data.values ?? [];
};

async function submitToTarget(seed: number): Promise<string> {
  const target = { estimator: 'depth_dose', page: 1, relative_error: 0.02, max_primaries: 1_000_000 };
  const project = exampleProject('proton-150mev-water', 1_000);
  const body = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data: project, seed: `${seed}`, target };
  return (await user.call<{ job_id: string }>('POST', '/jobs/direct', body)).job_id;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('runs to a target of 2 %', () => {
  it('are between 1.5 % and 2 % from an independent long run', async () => {
    const project = exampleProject('proton-150mev-water', LONG_PRIMARIES);
    const long = await submit(user, { project, ntasks: 4, seed: '987654321' });
    const jobIds: string[] = [];
    for (let seed = 1; seed <= RUNS; seed++) jobIds.push(await submitToTarget(seed));
    const truth = await depthDose(long);
    const most = Math.max(...truth);
    const runs: (readonly number[])[] = [];
    for (const jobId of jobIds) runs.push(await depthDose(jobId));
    // what the target is about: bins above half of the maximum, each with the error of its runs
    const errors = truth.flatMap((value, i) => {
      if (value <= most / 2) return [];
      return Math.sqrt(mean(runs.map((values) => ((values[i] ?? Number.NaN) / value - 1) ** 2)));
    });
    process.stdout.write(
      `runs to 2 %: ${(100 * mean(errors)).toFixed(3)} % from the long run, ${errors.length} bins\n`,
    );
    expect(errors.length).toBeGreaterThan(10);
    expect(mean(errors)).toBeGreaterThan(0.015);
    expect(mean(errors)).toBeLessThan(0.02);
  }, 600_000);
});
