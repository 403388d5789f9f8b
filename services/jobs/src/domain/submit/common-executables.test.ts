import { describe, expect, it } from '@jest/globals';
import type { Executables } from '@tally/simulators';
import { commonExecutables } from './common-executables.js';

const BOTH: Executables = new Map([
  ['simA', '1.0.1'],
  ['simB', '4.5'],
]);

describe('what runners agree on', () => {
  it('is what every one of them has', () => {
    expect(commonExecutables([BOTH, BOTH])).toEqual({ executables: BOTH, inconsistent: [] });
  });

  it('leaves out what one of them has not, and says so', () => {
    const { executables, inconsistent } = commonExecutables([BOTH, new Map([['simA', '1.0.1']])]);
    expect([...executables]).toEqual([['simA', '1.0.1']]);
    expect(inconsistent).toEqual(['simB']);
  });

  it('names every version where they differ, and none that is not known', () => {
    const runners: Executables[] = [new Map([['simA', '1.10']]), new Map([['simA', '']]), new Map([['simA', '1.9']])];
    expect(commonExecutables(runners).executables.get('simA')).toBe('1.9 or 1.10');
    expect(commonExecutables([new Map([['simA', '']])]).executables.get('simA')).toBe('');
  });

  it('is nothing while no runner lives', () => {
    expect(commonExecutables([])).toEqual({ executables: new Map(), inconsistent: [] });
  });
});
