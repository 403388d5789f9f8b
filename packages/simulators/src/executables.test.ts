import { describe, expect, it } from '@jest/globals';
import { parseExecutables, writeExecutables } from './executables.js';

describe('lists of executables', () => {
  it('are read, with versions and without', () => {
    expect(parseExecutables('')).toEqual(new Map());
    expect(parseExecutables('simA=1.0.1, simD')).toEqual(
      new Map([
        ['simA', '1.0.1'],
        ['simD', ''],
      ]),
    );
    expect(
      writeExecutables(
        new Map([
          ['simA', '1.0.1'],
          ['simD', ''],
        ]),
      ),
    ).toBe('simA=1.0.1,simD');
    for (const faulty of ['simE', 'simA,simA', 'sima', 'simA=<b>']) expect(parseExecutables(faulty)).toBeUndefined();
  });
});
