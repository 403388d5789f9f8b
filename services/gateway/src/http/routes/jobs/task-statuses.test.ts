import { describe, expect, it } from '@jest/globals';
import { jobs, STATES } from '@tally/contracts';
import fc from 'fast-check';
import { toTaskStatus } from '../../mappers.js';
import { writeTaskStatuses } from './task-statuses.js';

const primaries = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
const moment = fc.integer({ min: 0, max: 4e12 }).map((ms) => new Date(ms));
const task: fc.Arbitrary<jobs.Task> = fc.record({
  taskId: fc.integer({ min: 1, max: 100_000 }),
  state: fc.constantFrom(...Object.values(STATES)),
  requestedPrimaries: primaries,
  simulatedPrimaries: primaries,
  lastUpdateTime: moment,
  estimatedTime: fc.option(
    fc.bigInt({ min: 0n, max: 2n ** 31n - 1n }).map((seconds) => ({ seconds, nanos: 0 })),
    { nil: undefined },
  ),
  startTime: fc.option(moment, { nil: undefined }),
  endTime: fc.option(moment, { nil: undefined }),
  failure: fc.oneof(fc.constant(''), fc.string({ unit: 'binary' })),
  attemptCount: fc.nat(20),
});
const inMs = (at: Date | undefined) => at?.getTime() ?? Number.NaN;
const toColumns = (tasks: readonly jobs.Task[]): jobs.TaskColumns => ({
  taskIds: tasks.map(({ taskId }) => taskId),
  states: tasks.map(({ state }) => state),
  requestedPrimaries: tasks.map(({ requestedPrimaries }) => requestedPrimaries),
  simulatedPrimaries: tasks.map(({ simulatedPrimaries }) => simulatedPrimaries),
  estimatedSeconds: tasks.map(({ estimatedTime }) => Number(estimatedTime?.seconds ?? -1)),
  startTimesMs: tasks.map(({ startTime }) => inMs(startTime)),
  endTimesMs: tasks.map(({ endTime }) => inMs(endTime)),
  lastUpdateTimesMs: tasks.map(({ lastUpdateTime }) => inMs(lastUpdateTime)),
  attemptCounts: tasks.map(({ attemptCount }) => attemptCount),
  failures: Object.fromEntries(tasks.flatMap(({ taskId, failure }) => (failure === '' ? [] : [[taskId, failure]]))),
});

describe('the text of task statuses', () => {
  it('says what objects made task by task say', () => {
    fc.assert(
      fc.property(fc.uniqueArray(task, { maxLength: 20, selector: ({ taskId }) => taskId }), (tasks) => {
        expect(JSON.parse(writeTaskStatuses(toColumns(tasks)))).toEqual(tasks.map(toTaskStatus));
      }),
    );
  });

  it('is not written from columns of different lengths, or for states that the contract does not have', () => {
    const [one] = fc.sample(task, 1);
    if (one === undefined) throw new Error('no task');
    const columns = toColumns([one]);
    expect(() => writeTaskStatuses({ ...columns, endTimesMs: [] })).toThrow(
      expect.objectContaining({ reason: 'ANSWER_INVALID' }),
    );
    expect(() => writeTaskStatuses({ ...columns, states: [jobs.State.STATE_UNSPECIFIED] })).toThrow(
      expect.objectContaining({ reason: 'ANSWER_INVALID' }),
    );
  });
});
