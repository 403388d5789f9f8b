import { describe, expect, it } from '@jest/globals';
import { nameExecutable } from '../executable.js';
import type { Simulator } from '../job.js';
import type { WaitingTasks } from '../ports.js';
import { findPool } from './runner-pool.js';

const runner = (slotCount: number, ...executables: readonly (readonly [Simulator, string])[]) => ({
  slotCount,
  executables: new Map(executables),
});
const FLEET = [
  runner(4),
  runner(2, ['simA', '1.0']),
  runner(1, ['simA', '1.0'], ['simB', '4']),
  runner(2, ['simA', '1.1']),
];
const [SIM_A, SIM_B] = [nameExecutable('simA'), nameExecutable('simB')];

const waiting = (owner: number, dueCount: number, more: Partial<WaitingTasks> = {}): WaitingTasks => ({
  ownerId: BigInt(owner),
  isOwn: owner === 1,
  executable: undefined,
  queuedCount: 0,
  dueCount,
  ...more,
});

describe('the runners of a job', () => {
  it('are all of them for the built-in engine', () => {
    expect(findPool(undefined, FLEET, []).slotCount).toBe(9);
  });

  it('are those with its simulator, of the version that has most slots', () => {
    expect(findPool(SIM_A, FLEET, []).slotCount).toBe(3);
    expect(findPool(SIM_B, FLEET, []).slotCount).toBe(1);
    expect(findPool(nameExecutable('simC'), FLEET, []).slotCount).toBe(0);
  });
});

describe('the tasks that wait for them', () => {
  it('are those that one of them could run, and those of the same simulator', () => {
    const others = [
      waiting(2, 10),
      waiting(2, 20, { executable: nameExecutable('simB', '4') }),
      waiting(2, 40, { executable: nameExecutable('simA', '1.1') }),
      waiting(2, 80, { executable: nameExecutable('simC') }),
    ];
    expect(findPool(undefined, FLEET, others).waitingTaskCount).toBe(70);
    expect(findPool(SIM_A, FLEET, others).waitingTaskCount).toBe(30);
    expect(findPool(SIM_B, FLEET, others).waitingTaskCount).toBe(30);
    expect(findPool(nameExecutable('simC'), FLEET, others).waitingTaskCount).toBe(80);
  });
});

describe('the tasks before a job', () => {
  const before = (...tasks: WaitingTasks[]) => findPool(undefined, FLEET, tasks).tasksBefore;

  it('are those in the queue alone, for a user who has none waiting: everybody has turns', () => {
    expect(before(waiting(2, 1000, { queuedCount: 3 }), waiting(3, 500))).toBe(3);
  });

  it('are his own, and beside each of them one of each other user', () => {
    expect(before(waiting(1, 5, { queuedCount: 1 }), waiting(2, 1000, { queuedCount: 2 }), waiting(3, 4))).toBe(17);
  });

  it('count each other user once, whatever simulators his tasks are for', () => {
    const ofTwo = [waiting(2, 3), waiting(2, 3, { executable: SIM_A })];
    expect(before(waiting(1, 4), ...ofTwo)).toBe(8);
  });
});
