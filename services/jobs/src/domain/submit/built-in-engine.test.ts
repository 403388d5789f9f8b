import { describe, expect, it } from '@jest/globals';
import type { Executables } from '@tally/simulators';
import { decideUse, isOffered, warnOfBuiltInEngine } from './built-in-engine.js';

const NONE: Executables = new Map();
const SIM_A: Executables = new Map([['simA', '1.0.1']]);

describe('the built-in engine in place of a simulator', () => {
  it.each(['refuse', 'warn', 'allow'] as const)('is what the setting %s says, whatever there is', (setting) => {
    expect(decideUse(setting, true)).toBe(setting);
    expect(decideUse(setting, false)).toBe(setting);
  });

  it('is refused by default where there ever was a simulator, and else warned of', () => {
    expect(decideUse('auto', true)).toBe('refuse');
    expect(decideUse('auto', false)).toBe('warn');
  });

  it('is not spoken of where the simulator itself is', () => {
    for (const use of ['refuse', 'warn', 'allow'] as const) {
      expect(warnOfBuiltInEngine('simA', SIM_A, use, 'here')).toEqual([]);
      expect(isOffered('simA', SIM_A, use)).toBe(true);
    }
  });

  it('is warned of, or not, or refused with what there is', () => {
    const [warning, ...others] = warnOfBuiltInEngine('simC', NONE, 'warn', 'here');
    expect(warning).toEqual({
      code: 'SIMULATOR_REPLACED',
      message: 'simC is not installed here: the built-in engine computes this job',
    });
    expect(others).toEqual([]);
    expect(warnOfBuiltInEngine('simC', SIM_A, 'allow', 'here')).toEqual([]);
    expect(isOffered('simC', SIM_A, 'refuse')).toBe(false);
    expect(() => warnOfBuiltInEngine('simC', SIM_A, 'refuse', 'on cluster north')).toThrow(
      'simC is not installed on cluster north, and the built-in engine does not stand in for it; there are simA',
    );
  });
});
