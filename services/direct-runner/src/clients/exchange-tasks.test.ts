import { describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import type { AttemptId } from '../domain/task.js';
import { createTaskExchange, type ExchangeClient } from './exchange-tasks.js';

const terms = { lease: { seconds: 15n, nanos: 0 }, heartbeat: { seconds: 2n, nanos: 0 } };
const job = {
  jobId: 'j',
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  seed: 7n,
};
const executables = [{ simulator: jobs.Simulator.SIMULATOR_SIM_C, version: '11.2' }];
const order = { taskId: 3, attempt: 1, primaries: 10n, firstHistory: 20n };
const idOf = (name: string) => name as AttemptId;

/** jobs, which has the attempt `mine` to give. */
function fakeJobs() {
  const calls: string[] = [];
  const client: ExchangeClient = {
    exchangeTasks: async ({ progress, ends, claims, ...runner }) => {
      const versions = runner.executables.map(({ version }) => version).join();
      calls.push(`exchange ${progress.length} ${ends.length} ${claims.length} with ${versions}`);
      return {
        mustStop: progress.map(({ attemptId }) => attemptId !== 'mine'),
        mustFinish: progress.map(({ simulatedPrimaries }) => simulatedPrimaries > 1n),
        isApplied: ends.map(({ attemptId }) => attemptId === 'mine'),
        claims: claims.map((attemptId) => (attemptId === 'mine' ? { order: { ...order, jobIndex: 0 } } : {})),
        jobs: [job],
        ...terms,
      };
    },
  };
  return { calls, exchange: createTaskExchange(client, 'r1', () => executables) };
}

const progress = (attemptId: string, simulatedPrimaries = 1n): jobs.TaskProgress => ({
  attemptId,
  simulatedPrimaries,
});
const released = (attemptId: string): jobs.TaskEnd => ({
  attemptId,
  outcome: { $case: 'released', value: {} },
});

describe('what a runner says of its tasks', () => {
  it('is answered one by one, and travels together', async () => {
    const { calls, exchange } = fakeJobs();
    const said = [
      exchange.report(progress('first')),
      exchange.claim(idOf('other')),
      exchange.report(progress('mine', 2n)),
      exchange.report(progress('mine')),
      exchange.end(released('mine')),
      exchange.claim(idOf('mine')),
      exchange.end(released('other')),
    ];
    expect(await Promise.all(said)).toEqual([
      'stop',
      undefined,
      'finish',
      'go-on',
      true,
      expect.objectContaining({ attemptId: 'mine', jobId: 'j', taskId: 3, seed: '7', leaseMs: 15_000 }),
      false,
    ]);
    expect(calls).toEqual(['exchange 3 2 2 with 11.2']);
  });
});
