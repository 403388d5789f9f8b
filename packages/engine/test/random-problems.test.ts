import { describe, expect, it, jest } from '@jest/globals';
import { validateProblem } from '../src/problem/validate-problem.js';
import { simulate } from '../src/simulate.js';
import { randomProblem } from './random-problem.js';
import { task } from './water-tank.js';

// simulations; the machine may be busy
jest.setTimeout(300_000);

const PROBLEMS = 500;
const AT_ONCE = 4;

describe('500 random valid problems', () => {
  it('all finish, with finite numbers, without a lost particle, with their energy conserved', async () => {
    let started = 0;
    let deposited = 0;
    const run = async (seed: number) => {
      const problem = randomProblem(seed);
      expect([seed, validateProblem(problem)]).toEqual([seed, []]);
      const output = await simulate(problem, task(20, { seed: String(seed) }));
      for (const { moments } of output.pages) {
        for (const moment of moments) expect([seed, moment.every(Number.isFinite)]).toEqual([seed, true]);
      }
      const { lostParticles, imbalancedHistories, startedMev = 0, depositedMev = 0 } = output.counters;
      expect([seed, lostParticles, imbalancedHistories]).toEqual([seed, 0, 0]);
      started += startedMev;
      deposited += depositedMev;
    };
    for (let seed = 1; seed <= PROBLEMS; seed += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => run(seed + i)));
    }
    // the problems do meet matter
    expect(deposited / started).toBeGreaterThan(0.2);
  });
});
