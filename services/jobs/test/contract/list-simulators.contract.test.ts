import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { as, openSuite, type Suite } from '../suite.js';

let suite: Suite;

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
});
afterAll(() => suite.stop());

describe('ListSimulators OK', () => {
  it('says of every simulator name what it runs on', async () => {
    const { simulators } = await as(1n, () => suite.client('gateway').listSimulators({}));
    expect(simulators.map(({ simulator }) => simulator)).toEqual([
      jobs.Simulator.SIMULATOR_SIM_A,
      jobs.Simulator.SIMULATOR_SIM_B,
      jobs.Simulator.SIMULATOR_SIM_C,
      jobs.Simulator.SIMULATOR_SIM_D,
    ]);
    for (const { isAvailable, engine } of simulators) {
      expect(isAvailable).toBe(true);
      expect(engine).toMatch(/^reference \d+\.\d+\.\d+/);
    }
  });
});

describe('ListSimulators PERMISSION_DENIED', () => {
  it('is for the gateway', async () => {
    await expect(suite.client('direct-runner').listSimulators({})).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
