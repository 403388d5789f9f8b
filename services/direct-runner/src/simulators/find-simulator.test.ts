import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeTaskOutput } from '@tally/merge';
import { builtProgram, hasReason, ThreadPool } from '@tally/service-kit';
import type { SimType } from '@tally/simulators';
import type { WorkOrder } from '../domain/task.js';
import { createSimulators } from './find-simulator.js';
import type { ConfiguredExecutable } from './read-executables.js';

const threads = new ThreadPool({
  program: builtProgram(import.meta.url, './simulator-thread.js'),
  threadsMax: 1,
  waitingMax: 1,
  timeLimitMs: 60_000,
  heapBytesMax: 2 ** 29,
});
afterAll(() => threads.stop());
const requireReady = async () => {};

const EXECUTABLE = '/opt/simulator';
const SIMULATORS = createSimulators(
  {
    engineThreads: 1,
    engineCommand: '',
    taskOutputBytesMax: 2 ** 30,
    acceptsFiles: true,
    requireReady,
    tools: undefined,
  },
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
      program: builtProgram(import.meta.url, './simulator-thread.js'),
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

describe('an output', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tally-output-'));
    await writeFile(path.join(folder, 'main.txt'), 's:So/A/Type = "Beam"\ni:So/A/NumberOfHistoriesInRun = 25\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The CSV of a scorer of simD with so many bins along z, each with its own number. */
  const scorer = (bins: number) =>
    [
      '# TOPAS Version: 3.9',
      '# Parameter File: main.txt',
      '# Results for scorer: Dose',
      '# Scored in component: Phantom',
      '# X in 1 bin of 1 cm',
      '# Y in 1 bin of 1 cm',
      `# Z in ${bins} bins of 1 mm`,
      '# DoseToMedium ( Gy ) : Sum',
      ...Array.from({ length: bins }, (_, bin) => `0, 0, ${bin}, ${bin + 0.5}`),
      '',
    ].join('\n');
  const simulators = (pool: ThreadPool) =>
    createSimulators(
      {
        engineThreads: 1,
        engineCommand: '',
        taskOutputBytesMax: 2 ** 30,
        acceptsFiles: true,
        requireReady,
        tools: undefined,
      },
      new Map<SimType, ConfiguredExecutable>(),
      new Map<SimType, string>([['simD', '3.9']]),
      pool,
    );
  const read = async (pool = threads) =>
    (await simulators(pool).choose({ ...order, simType: 'simD' }, { 'main.txt': '' })).readOutput(folder, 25);

  it.each([
    ['small', 10, 0],
    ['large', 100_000, 1],
  ])('that is %s is read, much of it by a thread', async (_size, bins, threadCount) => {
    const run = jest.spyOn(threads, 'run');
    await writeFile(path.join(folder, 'Dose.csv'), scorer(bins));
    const { written, primaries } = await read();
    expect(run).toHaveBeenCalledTimes(threadCount);
    run.mockRestore();
    const { engine, pages } = decodeTaskOutput(written.bytes);
    expect([engine, primaries]).toEqual(['simD 3.9', 25]);
    expect(written.index.pages).toHaveLength(1);
    const [sums] = pages[0]?.moments ?? [];
    expect([...(sums ?? [])]).toEqual(Array.from({ length: bins }, (_, bin) => bin + 0.5));
  });

  it.each([10, 100_000])('that is none is refused with the same words, of %i bins', async (bins) => {
    await writeFile(path.join(folder, 'Dose.csv'), scorer(bins).replace('0, 0, 3, 3.5', '0, 0, 3, x'));
    const refused = { name: 'OutputError', reason: 'UNREADABLE', fileName: 'Dose.csv' };
    await expect(read()).rejects.toMatchObject(refused);
    await expect(read()).rejects.toThrow(/^Dose\.csv: line \d+: "x" is not a number$/);
  });

  it('that takes too long to read is none', async () => {
    const slow = new ThreadPool({
      program: builtProgram(import.meta.url, './simulator-thread.js'),
      threadsMax: 1,
      waitingMax: 1,
      timeLimitMs: 1,
      heapBytesMax: 2 ** 29,
    });
    await writeFile(path.join(folder, 'Dose.csv'), scorer(100_000));
    await expect(read(slow)).rejects.toMatchObject({ name: 'OutputError', reason: 'UNREADABLE' });
    await slow.stop();
  });
});
