import { describe, expect, it } from '@jest/globals';
import { ConversionError } from '../conversion-error.js';
import { adoptFiles } from '../deck/adopt-files.js';
import { apportion, REQUIRED_FILES, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { findForeign } from './find-foreign.js';
import { progress } from './progress.js';
import { createDeckFaults } from './reference/deck-reader.js';
import { readBeam } from './reference/read-beam.js';

const BEAM = [
  '! NSTAT 1 stands in a comment',
  'RNDSEED\t\t89736501    ! seed',
  'JPART0          2',
  'NSTAT       10000    0       ! 10000 histories',
  'BEAMPOS     0 0 -10000',
].join('\r\n');
const files = { 'beam.dat': BEAM, 'mat.dat': 'END\n', 'geo.dat': '10000', 'detect.dat': 'NSTAT 10000' };
const share = { primaries: 2500, firstHistory: 5000, seed: '42' };

describe('apportion', () => {
  it('sets the first number of NSTAT and RNDSEED and touches nothing else', () => {
    const task = apportion(files, share);
    const lines = task['beam.dat']?.split('\r\n') ?? [];
    expect(lines[1]).toMatch(/^RNDSEED\t\t\d{1,9} {4}! seed$/);
    expect(lines.filter((_, index) => index !== 1)).toEqual([
      '! NSTAT 1 stands in a comment',
      'JPART0          2',
      'NSTAT       2500    0       ! 10000 histories',
      'BEAMPOS     0 0 -10000',
    ]);
    expect({ ...task, 'beam.dat': BEAM }).toEqual(files);
  });

  it('gives tasks of one job, and jobs, seeds of their own', () => {
    const seedOf = (text?: string) => /RNDSEED\s+(\d+)/.exec(text ?? '')?.[1];
    const texts = [share, { ...share, firstHistory: 7500 }, { ...share, seed: '43' }].map(
      (one) => apportion(files, one)['beam.dat'],
    );
    expect(new Set(texts.map(seedOf)).size).toBe(3);
    expect(apportion(files, share)).toEqual(apportion(files, share));
  });

  it('adds a seed before NSTAT to a deck without one', () => {
    const text = apportion({ ...files, 'beam.dat': 'nstat 10 0\n' }, share)['beam.dat'];
    expect(text).toMatch(/^RNDSEED \d+\nnstat 2500 0\n$/);
  });

  it.each([
    ['without beam.dat', {}],
    ['without NSTAT', { 'beam.dat': 'JPART0 2' }],
    ['with two NSTAT', { 'beam.dat': 'NSTAT 1\nNSTAT 1' }],
    ['with no number of histories', { 'beam.dat': 'NSTAT many' }],
    ['with a broken number of histories', { 'beam.dat': 'NSTAT 1.5' }],
    ['with a number that goes on', { 'beam.dat': 'NSTAT 1_000' }],
    ['with a unit behind a number', { 'beam.dat': 'NSTAT 1000k' }],
    ['with a separator that is none', { 'beam.dat': 'NSTAT 1000;0' }],
    ['with digits in groups', { 'beam.dat': 'NSTAT 1 000 000' }],
    ['with a seed that goes on', { 'beam.dat': 'RNDSEED 12_3\nNSTAT 1' }],
    ['with no histories', { 'beam.dat': 'NSTAT 0 0' }],
    ['with a broken seed', { 'beam.dat': 'RNDSEED x\nNSTAT 1' }],
  ])('refuses a deck %s', (_, deck) => {
    expect(() => apportion(deck, share)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });
});

describe("users' own files", () => {
  it.each(['1e6', '1E6', '1.0E+06', '1000000', '1000000.', '1D6'])(
    'ask for a million by NSTAT %s, also on the built-in engine, and tasks get whole numbers',
    (million) => {
      const deck = { 'beam.dat': `RNDSEED 1e3 ! mine\nJPART0 2\nTMAX0 150.0 1.5\nNSTAT ${million} -1!all\n` };
      expect(readPrimaries(deck)).toBe(1_000_000);
      const faults = createDeckFaults();
      expect(readBeam(deck, faults).primaries).toBe(1_000_000);
      expect(faults.items).toEqual([]);
      expect(apportion(deck, share)['beam.dat']).toMatch(
        /^RNDSEED \d+ ! mine\nJPART0 2\nTMAX0 150\.0 1\.5\nNSTAT 2500 -1!all\n$/,
      );
    },
  );

  it('are taken as they are, with the histories that NSTAT asks for', () => {
    expect(adoptFiles(files, { required: REQUIRED_FILES, readPrimaries, findForeign })).toEqual({
      files,
      primaries: 10000,
      warnings: [],
    });
  });

  it('are refused by name when some are missing', () => {
    const adopt = () => adoptFiles({ 'beam.dat': BEAM }, { required: REQUIRED_FILES, readPrimaries, findForeign });
    expect(adopt).toThrow(ConversionError);
    expect(adopt).toThrow(
      expect.objectContaining({
        reason: 'FILES_INVALID',
        items: ['mat.dat', 'geo.dat', 'detect.dat'].map((name) => ({ path: `/${name}`, message: 'is missing' })),
      }),
    );
  });
});

describe('command and progress', () => {
  it('names the folder after the configured arguments', () => {
    expect(command({ executable: '/opt/a', args: ['--silent'], env: { A: '1' } }, '/tasks/1')).toEqual({
      executable: '/opt/a',
      args: ['--silent', '/tasks/1'],
      env: { A: '1' },
    });
  });

  it('reads lines of progress and no others', () => {
    expect(progress(' Requested number of primaries NSTAT :    1000')).toEqual({ done: 0, total: 1000 });
    expect(progress('Primary particle no.   250 ETR:    0 hour(s)   1 minute(s)')).toEqual({ done: 250 });
    expect(progress('Primary particle no.')).toBeUndefined();
    expect(progress('Transport completed.')).toBeUndefined();
  });
});
