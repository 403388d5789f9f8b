import { describe, expect, it } from '@jest/globals';
import { readInputFiles } from './read-input-files.js';

describe('input files', () => {
  it('are texts by plain names', () => {
    const files = { 'beam.dat': 'NSTAT 1', 'A-1_b.txt': '', _x: 'x' };
    expect(readInputFiles(files)).toEqual(files);
  });

  it.each([
    ['nothing', null],
    ['a text', 'beam.dat'],
    ['a list', ['a']],
    ['no files', {}],
    ['too many files', Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, '']))],
  ])('are not %s', (_, simData) => {
    expect(() => readInputFiles(simData)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID', fields: [expect.objectContaining({ field: '/sim_data' })] }),
    );
  });

  it.each(['..', '.', '.hidden', '-rf', '', 'a/b', '../a', 'a\\b', 'a b', 'a\0', 'ä', 'x'.repeat(129)])(
    'are not called %j',
    (name) => {
      expect(() => readInputFiles({ 'good.dat': '', [name]: '' })).toThrow(/must be a file name/);
    },
  );

  it('name every fault by its pointer', () => {
    expect(() => readInputFiles({ 'a/b~c': '', 'x.dat': 7 })).toThrow(
      expect.objectContaining({
        fields: [
          { field: '/sim_data/a~1b~0c', message: expect.stringContaining('file name') },
          { field: '/sim_data/x.dat', message: 'must be the text of the file' },
        ],
      }),
    );
  });
});
