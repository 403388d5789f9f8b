import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { builtProgram, hasReason, ThreadPool } from '@tally/service-kit';
import type { SimType } from '@tally/simulators';
import type { WorkOrder } from '../domain/task.js';
import { createSimulators } from './find-simulator.js';
import type { ConfiguredExecutable } from './read-executables.js';

const threads = new ThreadPool({
  program: builtProgram(import.meta.url, './divide-thread.js'),
  threadsMax: 1,
  waitingMax: 1,
  timeLimitMs: 60_000,
  heapBytesMax: 2 ** 29,
});
afterAll(() => threads.stop());

const EXECUTABLE = '/opt/simulator';
const SIMULATORS = createSimulators(
  { engineThreads: 1, engineCommand: '', acceptsFiles: true, requireReady: async () => {}, tools: undefined },
  new Map<SimType, ConfiguredExecutable>([
    [
      'simA',
      {
        config: { executable: EXECUTABLE, args: [], env: {} },
        readOnlyPaths: [],
        limits: {},
        version: '1.0',
        probe: { args: [], pattern: /x/ },
      },
    ],
  ]),
  new Map<SimType, string>([['simA', '1.0']]),
  threads,
);
const order = { simType: 'simA', inputType: 'files', primaries: 25, firstHistory: 50, seed: '7' } as WorkOrder;

async function divide(beam: string) {
  const deck = { 'beam.dat': beam, 'mat.dat': '', 'geo.dat': '', 'detect.dat': '' };
  const simulator = await SIMULATORS.choose(order, deck);
  return simulator.divide(order, '/tasks/1');
}

describe('a deck that is divided', () => {
  const beam = 'RNDSEED 1\nNSTAT 100 0\n';
  const comments = '* a line\n'.repeat(400_000);

  it('in a thread where it is large: the event loop goes on', async () => {
    const run = jest.spyOn(threads, 'run');
    const small = await divide(beam);
    expect(run).not.toHaveBeenCalled();
    const large = await divide(beam + comments);
    expect(run).toHaveBeenCalledTimes(1);
    expect(large.files['beam.dat']).toBe(`${small.files['beam.dat']}${comments}`);
    expect(large.files['beam.dat']).toMatch(/^RNDSEED \d+\nNSTAT 25 0\n/);
    expect(large.command).toEqual(small.command);
    expect(large.command.executable).toBe(EXECUTABLE);
  });

  it.each(['small', 'large'])('is refused by the same reason where it cannot be, %s', async (size) => {
    const failed = await divide(size === 'large' ? comments : '').catch((err: unknown) => err);
    expect(hasReason(failed, 'DECK_INVALID')).toBe(true);
  });

  it('is refused where its division takes too long', async () => {
    const slow = new ThreadPool({
      program: builtProgram(import.meta.url, './divide-thread.js'),
      threadsMax: 1,
      waitingMax: 1,
      timeLimitMs: 1,
      heapBytesMax: 2 ** 29,
    });
    const run = jest.spyOn(threads, 'run').mockImplementation((input) => slow.run(input));
    await expect(divide(beam + comments)).rejects.toThrow('it takes too much time to divide');
    run.mockRestore();
    await slow.stop();
  });
});
