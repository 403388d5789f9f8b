import { describe, expect, it } from '@jest/globals';
import { quotaFault } from './quotas.js';

const quotas = { openJobsPerUserMax: 2, openTasksPerUserMax: 10, queuedPrimariesPerUserMax: 1_000 };
const usage = { openJobCount: 1, openTaskCount: 4, queuedPrimaries: 400 };

describe('a quota', () => {
  it.each([
    ['leaves room for the last job', usage, { openTaskCount: 6, queuedPrimaries: 600 }, undefined],
    ['of jobs', { ...usage, openJobCount: 2 }, { openTaskCount: 1, queuedPrimaries: 1 }, '2 jobs that have not ended'],
    ['of tasks', usage, { openTaskCount: 7, queuedPrimaries: 7 }, '10 tasks that have not ended, and have 4'],
    ['of primaries', usage, { openTaskCount: 1, queuedPrimaries: 601 }, '1000 primaries that wait, and have 400'],
  ])('%s', (_what, has, job, expected) => {
    const fault = quotaFault(quotas, has, job);
    if (expected === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(expected);
  });

  it('of 0 is none', () => {
    const none = { openJobsPerUserMax: 0, openTasksPerUserMax: 0, queuedPrimariesPerUserMax: 0 };
    expect(
      quotaFault(none, { ...usage, openJobCount: 1e6 }, { openTaskCount: 1e6, queuedPrimaries: 1e15 }),
    ).toBeUndefined();
  });
});
