import { describe, expect, it } from '@jest/globals';
import type { Executables } from '@tally/simulators';
import { agreeOnExecutables } from './agree-on-executables.js';

const BOTH: Executables = new Map([
  ['simA', '1.0.1'],
  ['simB', '4.5'],
]);

describe('what runners agree on', () => {
  it('is what every one of them has', () => {
    expect(agreeOnExecutables([BOTH, BOTH])).toEqual({ executables: BOTH, disputed: [] });
  });

  it('leaves out what one of them has not, and says so', () => {
    const { executables, disputed } = agreeOnExecutables([BOTH, new Map([['simA', '1.0.1']])]);
    expect([...executables]).toEqual([['simA', '1.0.1']]);
    expect(disputed).toEqual(['simB']);
  });

  it('names every version where they differ, and none that is not known', () => {
    const runners: Executables[] = [new Map([['simA', '1.10']]), new Map([['simA', '']]), new Map([['simA', '1.9']])];
    expect(agreeOnExecutables(runners).executables.get('simA')).toBe('1.9 or 1.10');
    expect(agreeOnExecutables([new Map([['simA', '']])]).executables.get('simA')).toBe('');
  });

  it('is nothing while no runner lives', () => {
    expect(agreeOnExecutables([])).toEqual({ executables: new Map(), disputed: [] });
  });
});
