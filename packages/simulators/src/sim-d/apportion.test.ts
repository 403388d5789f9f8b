import { describe, expect, it } from '@jest/globals';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { progress } from './progress.js';

const share = { primaries: 2500, firstHistory: 5000, seed: '42' };
const MAIN = [
  '# i:Ts/Seed = 3',
  'i:Ts/Seed = 1 # mine',
  's:Ge/World/Material = "Vacuum"',
  'i:So/Demo/NumberOfHistoriesInRun = 10000 # all',
].join('\n');

describe('apportion', () => {
  it('sets histories, seed, threads and interval, and touches nothing else', () => {
    const task = apportion({ 'topas_config.txt': MAIN, 'table.txt': '1 2 3' }, share);
    expect(task['topas_config.txt']?.split('\n')).toEqual([
      '# i:Ts/Seed = 3',
      expect.stringMatching(/^i:Ts\/Seed = [1-9]\d* # mine$/),
      's:Ge/World/Material = "Vacuum"',
      'i:So/Demo/NumberOfHistoriesInRun = 2500 # all',
      'i:Ts/NumberOfThreads = 1',
      'i:Ts/ShowHistoryCountAtInterval = 25',
      '',
    ]);
    expect(task['table.txt']).toBe('1 2 3');
  });

  it('shares histories among sources in their proportions, to the last one', () => {
    const files = {
      'main.txt': 'includeFile = a.txt b.txt\ni:Ts/NumberOfThreads = 8',
      'a.txt': 'i:So/A/NumberOfHistoriesInRun = 700',
      'b.txt': 'ic:So/B/NumberOfHistoriesInRun = 300\ni:Ts/Seed = 9',
    };
    expect(readPrimaries(files)).toBe(1000);
    const task = apportion(files, { ...share, primaries: 333 });
    expect(task['a.txt']).toBe('i:So/A/NumberOfHistoriesInRun = 233');
    expect(task['b.txt']).toMatch(/^ic:So\/B\/NumberOfHistoriesInRun = 100\ni:Ts\/Seed = [1-9]\d*$/);
    expect(task['main.txt']).toBe(
      'includeFile = a.txt b.txt\ni:Ts/NumberOfThreads = 1\ni:Ts/ShowHistoryCountAtInterval = 3\n',
    );
    expect(command({ executable: 'topas' }, '/w', files).args).toEqual(['main.txt']);
  });

  it.each([
    ['without parameters', { 'a.txt': 'text' }],
    ['without a source', { 'a.txt': 'i:Ts/Seed = 1' }],
    ['with two main files', { 'a.txt': MAIN, 'b.txt': MAIN }],
    ['with a calculated number of histories', { 'a.txt': 'i:So/A/NumberOfHistoriesInRun = Ts/N * 2' }],
    ['with no histories', { 'a.txt': 'i:So/A/NumberOfHistoriesInRun = 0' }],
  ])('refuses a deck %s', (_, files) => {
    expect(() => readPrimaries(files)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });
});

describe('progress', () => {
  it('reads lines of progress and no others', () => {
    expect(progress('Begin processing for Run: 0, History: 120')).toEqual({ done: 120 });
    expect(progress('G4WT1 > Begin processing for Run: 0, History: 120')).toEqual({ done: 120 });
    expect(progress('TOPAS run sequence complete.')).toBeUndefined();
  });
});
