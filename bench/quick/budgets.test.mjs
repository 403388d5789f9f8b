import { describe, expect, it } from '@jest/globals';
import { budgetFor, compareCount } from './budgets.mjs';

const poll = { calls: { jobs: 1 }, statements: { jobs: 1.1, auth: 0.1 }, kib: { gateway: 120, jobs: 160, auth: 2 } };
const isOver = ({ counted, most }) => counted > most;
const over = (count, budget) =>
  compareCount('poll', count, budget)
    .filter(isOver)
    .map(({ what }) => what);

describe('an accepted budget', () => {
  const budget = budgetFor('poll', poll);

  it('holds what was counted, with room for what differs from run to run', () => {
    expect(over(poll, budget)).toEqual([]);
    expect(over({ ...poll, kib: { gateway: 125, jobs: 165, auth: 20 } }, budget)).toEqual([]);
  });

  it('is broken by one more statement, and by one more call', () => {
    expect(over({ ...poll, statements: { jobs: 2.1 } }, budget)).toEqual(['statements']);
    expect(over({ ...poll, calls: { jobs: 1, results: 1 } }, budget)).toEqual(['calls (jobs 1, results 1)']);
  });

  it('is broken by half more allocation in one service', () => {
    expect(over({ ...poll, kib: { gateway: 180, jobs: 160 } }, budget)).toEqual(['KiB in gateway']);
  });

  it('is broken by a service that has done nothing before', () => {
    expect(over({ ...poll, kib: { ...poll.kib, results: 80 } }, budget)).toEqual(['KiB in results']);
  });
});

it('an operation without a budget is over it', () => {
  expect(over(poll, undefined)).toEqual(['calls', 'statements', 'KiB in gateway', 'KiB in jobs', 'KiB in auth']);
});
