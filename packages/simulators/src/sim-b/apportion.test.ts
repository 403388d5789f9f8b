import { describe, expect, it } from '@jest/globals';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { PROGRESS_FILE, progress } from './progress.js';

const share = { primaries: 2500, firstHistory: 5000, seed: '42' };
const deckOf = (...lines: string[]) => ({ 'my.inp': lines.join('\n') });
const linesOf = (files: Readonly<Record<string, string>>) => files['my.inp']?.split('\n') ?? [];

describe('apportion', () => {
  it('sets columns 11 to 20 of START and 11 to 30 of RANDOMIZ and touches nothing else', () => {
    const deck = deckOf(
      'TITLE',
      'START of a title',
      '* START 1',
      'RANDOMIZ                  137.                              tail',
      'START         10000.      600.',
      'STOP',
    );
    const lines = linesOf(apportion({ ...deck, 'extra.txt': 'START 1' }, share));
    expect(lines.filter((_, index) => index !== 3)).toEqual([
      'TITLE',
      'START of a title',
      '* START 1',
      'START          2500.      600.',
      'STOP',
    ]);
    expect(lines[3]).toMatch(/^RANDOMIZ {10}1\. +\d{1,9} {30}tail$/);
    expect(lines[3]?.indexOf('tail')).toBe(60);
    expect(apportion({ ...deck, 'extra.txt': 'START 1' }, share)['extra.txt']).toBe('START 1');
  });

  it('keeps the free format of cards written in it', () => {
    const lines = linesOf(apportion(deckOf('FREE', 'RANDOMIZ  1.0, 5.0 , 7.0', 'START 1E4 , 600.'), share));
    expect(lines[1]).toMatch(/^RANDOMIZ {2}1\., \d+ , 7\.0$/);
    expect(lines[2]).toBe('START 2500. , 600.');
  });

  it('adds a seed before START, where it is read, to a deck without one', () => {
    const lines = linesOf(apportion(deckOf('START          10.0', 'STOP', ''), share));
    expect(lines).toEqual([expect.stringMatching(/^RANDOMIZ {10}1\. +\d+$/), 'START          2500.', 'STOP', '']);
  });

  it('gives tasks of one job seeds of their own', () => {
    const deck = deckOf('RANDOMIZ         1.0       7.0', 'START          10.0');
    const first = apportion(deck, share);
    expect(linesOf(first)[0]).not.toBe(linesOf(apportion(deck, { ...share, firstHistory: 1 }))[0]);
    expect(apportion(deck, share)).toEqual(first);
  });

  it('writes up to ten digits of histories and refuses more', () => {
    const deck = deckOf('START          10.0');
    expect(linesOf(apportion(deck, { ...share, primaries: 1_234_567_890 }))[1]).toBe('START     1234567890');
    expect(() => apportion(deck, { ...share, primaries: 12_345_678_901 })).toThrow(/more tasks/);
  });

  it.each([
    ['without an input', {}],
    ['with two inputs', { 'a.inp': 'START 1', 'b.inp': 'START 1' }],
    ['without START', deckOf('STOP')],
    ['with START behind STOP', deckOf('STOP', 'START 1.')],
    ['with a START that may not count', deckOf('#if X', 'START 1.', '#endif')],
    ['with a seed that may not count', deckOf('#if X', 'RANDOMIZ 1. 2.', '#endif', 'START 1.')],
    ['with numbers that have slipped out of their columns', deckOf('START 1000. 600.')],
    ['with two START', deckOf('START 1.', 'START 1.')],
  ])('refuses a deck %s', (_, deck) => {
    expect(() => apportion(deck, share)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });
});

describe('the histories of a deck', () => {
  it.each([
    ['START          2500.', 2500],
    ['START       1.0E+06', 1_000_000],
    ['START     1234567890', 1_234_567_890],
    ['START 1D3', 1000],
    ['START 100, 3', 100],
    ['START         100.0     600.0', 100],
    ['START 1e6', 1_000_000],
    ['START          1000. ! all of them', 1000],
    ['start          1000.', 1000],
  ])('of %j are %d', (card, primaries) => {
    expect(readPrimaries(deckOf(card))).toBe(primaries);
  });

  it.each([
    'START',
    'START        many',
    'START          0.5',
    'START          -10.',
    'START          1_000',
    'START          1000k',
    'START 1000;0',
    'START      1 000 000',
    'START, , 600.',
  ])('of %j are refused, by the line', (card) => {
    expect(() => readPrimaries(deckOf('TITLE', 'x', card))).toThrow(/line 3: /);
  });

  it('stand in a card, and not in the geometry, whatever regions are called', () => {
    const geometry = ['GEOBEGIN', '    0    0', 'END', 'START 5 +a', 'RANDOMIZ 5 -a', 'TITLE 5 -b', 'END', 'GEOEND'];
    const deck = deckOf(...geometry, 'RANDOMIZE        1.0       7.0', 'START         1000.', 'STOP');
    expect(readPrimaries(deck)).toBe(1000);
    const lines = linesOf(apportion(deck, share));
    expect(lines.slice(0, 8)).toEqual(geometry);
    expect(lines.slice(8)).toEqual([
      expect.stringMatching(/^RANDOMIZE {9}1\. +\d{1,9}$/),
      'START          2500.',
      'STOP',
    ]);
  });

  it('are found and set in an included file', () => {
    const deck = { ...deckOf('TITLE', 'START 1.', '#include run.inc'), 'run.inc': 'FREE\nSTART 1000.\n' };
    expect(readPrimaries(deck)).toBe(1000);
    expect(apportion(deck, share)['run.inc']).toMatch(/^FREE\nRANDOMIZ +1\. +\d+\nSTART 2500\.\n$/);
  });

  it('are put into columns where the deck is not in the free format', () => {
    expect(linesOf(apportion(deckOf('RANDOMIZ 1.0, 7.0', 'START 1000.'), share))).toEqual([
      expect.stringMatching(/^RANDOMIZ {10}1\. +\d{1,9}$/),
      'START          2500.',
    ]);
  });

  it('have a seed in front, also where there is one behind', () => {
    expect(linesOf(apportion(deckOf('START         1000.', 'RANDOMIZ         1.0       7.0'), share))).toEqual([
      expect.stringMatching(/^RANDOMIZ {10}1\. +\d{1,9}$/),
      'START          2500.',
      'RANDOMIZ         1.0       7.0',
    ]);
  });
});

describe('command and progress', () => {
  it('runs one cycle of the only input', () => {
    const args = ['-e', 'custom', '-N0', '-M1', 'my.inp'];
    expect(command({ executable: 'rfluka', args: ['-e', 'custom'] }, '/w', deckOf(''))).toEqual({
      executable: 'rfluka',
      args,
      env: {},
    });
  });

  it('reads rows of six numbers and nothing else', () => {
    const row =
      '      250                 750                 750             1.4526E-04          1.0000E+30            5';
    expect(progress(row)).toEqual({ done: 250, total: 1000 });
    expect(progress('  1 2 3 4.0 5.0')).toBeUndefined();
    expect(progress(' NEXT SEEDS:  2D5  0  0  0')).toBeUndefined();
  });

  it('knows the growing file below the folder', () => {
    expect(PROGRESS_FILE.test('fluka_1234/fl_sim001.out')).toBe(true);
    expect(PROGRESS_FILE.test('fl_sim001.out')).toBe(false);
  });
});
