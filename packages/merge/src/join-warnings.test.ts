import { describe, expect, it } from '@jest/globals';
import { isWarning, joinWarnings, WARNINGS_MAX } from './join-warnings.js';

const warning = (message: string, code = 'AXIS_UNNAMED') => ({ code, message });

describe('warnings of several tasks', () => {
  it('are each told once, in the order in which they came', () => {
    const [a, b, c] = [warning('a'), warning('b'), warning('a', 'OTHER')];
    expect(joinWarnings([[a, b], [], [b, c, a]])).toEqual([a, b, c]);
  });

  it('are not more than can be shown', () => {
    const many = Array.from({ length: WARNINGS_MAX + 5 }, (_, index) => warning(String(index)));
    expect(joinWarnings([many])).toEqual(many.slice(0, WARNINGS_MAX));
  });
});

describe('a warning', () => {
  it('is a code and one line', () => {
    expect(isWarning(warning('a.bdo: an axis has no name'))).toBe(true);
    for (const bad of [warning('two\nlines'), warning('x'.repeat(1001)), warning('a', 'lower'), warning('a', '')]) {
      expect(isWarning(bad)).toBe(false);
    }
  });
});
