import { describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import type { AttemptId } from '../domain/task.js';
import { createTaskExchange, type ExchangeClient } from './exchange-tasks.js';

const terms = { lease: { seconds: 15n, nanos: 0 }, heartbeat: { seconds: 2n, nanos: 0 } };
const job = {
  jobId: 'j',
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  seed: 7n,
};
const merge = { jobId: 'j', taskIds: [1, 3], isPartial: true, isStopped: false, number: 2 };
const order = { taskId: 3, attempt: 1, primaries: 10n, firstHistory: 20n };
const idOf = (name: string) => name as AttemptId;
const unimplemented = new ServiceError('jobs', 'UNIMPLEMENTED', 'UNIMPLEMENTED', 'no such method');

/** jobs, which has the attempt `mine` to give; of the release before where it does not know the call for many. */
function fakeJobs(knowsExchange = true) {
  const calls: string[] = [];
  const client: ExchangeClient = {
    exchangeTasks: async ({ progress, ends, claims }) => {
      calls.push(`exchange ${progress.length} ${ends.length} ${claims.length}`);
      if (!knowsExchange) throw unimplemented;
      return {
        mustStop: progress.map(({ attemptId }) => attemptId !== 'mine'),
        mustFinish: progress.map(({ simulatedPrimaries }) => simulatedPrimaries > 1n),
        isApplied: ends.map(({ attemptId }) => attemptId === 'mine'),
        merges: ends.flatMap(({ takesMerge }, endIndex) =>
          takesMerge === true ? [{ endIndex, mergeId: 'm', order: { ...merge, ...terms } }] : [],
        ),
        claims: claims.map((attemptId) => (attemptId === 'mine' ? { order: { ...order, jobIndex: 0 } } : {})),
        jobs: [job],
        ...terms,
      };
    },
    claimTask: async ({ attemptId }) => {
      calls.push(`claim ${attemptId}`);
      if (attemptId !== 'mine') throw new ServiceError('jobs', 'ATTEMPT_NOT_CLAIMABLE', 'FAILED_PRECONDITION', 'no');
      return { ...job, ...order, ...terms };
    },
    reportTask: async ({ attemptId, simulatedPrimaries }) => {
      calls.push(`report ${attemptId}`);
      return { mustStop: attemptId !== 'mine', mustFinish: simulatedPrimaries > 1n };
    },
    reportTaskEnd: async ({ attemptId }) => {
      calls.push(`end ${attemptId}`);
      return { isApplied: attemptId === 'mine' };
    },
  };
  return { calls, exchange: createTaskExchange(client, 'r1') };
}

const progress = (attemptId: string, simulatedPrimaries = 1n): jobs.ReportTaskRequest => ({
  attemptId,
  simulatedPrimaries,
});
const released = (attemptId: string): jobs.ReportTaskEndRequest => ({
  attemptId,
  outcome: { $case: 'released', value: {} },
});

describe.each([true, false])(
  'what a runner says of its tasks, to jobs that knows ExchangeTasks: %s',
  (knowsExchange) => {
    it('is answered one by one, and travels together where it can', async () => {
      const { calls, exchange } = fakeJobs(knowsExchange);
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
        { isApplied: true, merge: undefined },
        expect.objectContaining({ attemptId: 'mine', jobId: 'j', taskId: 3, seed: '7', leaseMs: 15_000 }),
        { isApplied: false, merge: undefined },
      ]);
      expect(calls.filter((call) => call.startsWith('exchange'))).toEqual(['exchange 3 2 2']);
      expect(calls).toHaveLength(knowsExchange ? 1 : 8);
    });
  },
);

describe('an end that takes a merge', () => {
  it('gets it with its answer, and no other end does', async () => {
    const { exchange } = fakeJobs();
    const ends = [exchange.end(released('other')), exchange.end(released('mine')), exchange.end({ ...released('mine'), takesMerge: true })]; // biome-ignore format: one line
    const [, without, taken] = await Promise.all(ends);
    expect(without?.merge).toBeUndefined();
    expect(taken?.merge).toMatchObject({ mergeId: 'm', jobId: 'j', taskIds: [1, 3], isPartial: true, leaseMs: 15_000 });
  });
});
