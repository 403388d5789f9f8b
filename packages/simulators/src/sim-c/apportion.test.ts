import { describe, expect, it } from '@jest/globals';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { progress } from './progress.js';

const share = { primaries: 2500, firstHistory: 5000, seed: '42' };
const MACRO = '/run/initialize\n# /run/beamOn 3\n/random/setSeeds 1 2\n/run/beamOn  10000  # all\n/score/list';
const deck = { 'geometry.gdml': '<gdml/>', 'run.mac': MACRO, 'setup.mac': '/gps/verbose 0' };

describe('apportion', () => {
  it('sets beamOn, seeds right before it and the progress interval, and touches nothing else', () => {
    const task = apportion(deck, share);
    const lines = task['run.mac']?.split('\n') ?? [];
    expect(lines).toEqual([
      '/run/initialize',
      '/run/printProgress 25',
      '# /run/beamOn 3',
      '/random/setSeeds 1 2',
      expect.stringMatching(/^\/random\/setSeeds [1-9]\d* [1-9]\d*$/),
      '/run/beamOn  2500  # all',
      '/score/list',
    ]);
    expect({ ...task, 'run.mac': MACRO }).toEqual(deck);
  });

  it("keeps the user's own progress interval", () => {
    const macro = '/run/initialize\n/run/printProgress 7\n/run/beamOn 10';
    expect(apportion({ 'run.mac': macro }, share)['run.mac']).not.toContain('printProgress 25');
  });

  it('gives tasks of one job two seeds of their own each', () => {
    const seeds = [0, 2500, 5000].flatMap((firstHistory) =>
      /setSeeds (\d+) (\d+)\n\/run\/beamOn/
        .exec(apportion(deck, { ...share, firstHistory })['run.mac'] ?? '')
        ?.slice(1),
    );
    expect(new Set(seeds).size).toBe(6);
    expect(seeds.every((seed) => Number(seed) >= 1 && Number(seed) < 2 ** 31)).toBe(true);
  });

  it.each([
    ['without a macro', {}],
    ['without beamOn', { 'run.mac': '/run/initialize' }],
    ['with two beamOn', { 'run.mac': '/run/beamOn 1\n/run/beamOn 1' }],
    ['with two macros that run', { 'a.mac': '/run/beamOn 1', 'b.mac': '/run/beamOn 1' }],
    ['with no number of histories', { 'a.mac': '/run/beamOn {n}' }],
  ])('refuses a deck %s', (_, files) => {
    expect(() => apportion(files, share)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
    expect(() => readPrimaries(files)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });
});

describe('command and progress', () => {
  it('names geometry and macro', () => {
    expect(command({ executable: 'g4gdml' }, '/w', deck).args).toEqual([
      '--gdml',
      'geometry.gdml',
      '--macro',
      'run.mac',
      '--threads',
      '1',
    ]);
  });

  it('reads lines of progress and no others', () => {
    expect(progress('--> Event 120 starts.')).toEqual({ done: 120 });
    expect(progress('G4WT0 > --> Event 120 starts with initial seeds (1,2).')).toEqual({ done: 120 });
    expect(progress('  Number of events processed : 1000')).toEqual({ done: 1000 });
    expect(progress('### Run 0 starts.')).toBeUndefined();
  });
});
