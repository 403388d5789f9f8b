import { describe, expect, it } from '@jest/globals';
import { assign, combinations, readAssignment } from './values.js';

describe('--set', () => {
  it('takes a range with both ends, a list, or a value', () => {
    expect(readAssignment('beam.energy=70:230:10').values).toHaveLength(17);
    expect(readAssignment('beam.energy=70:230:10').values.at(-1)).toBe(230);
    expect(readAssignment('a=0.1:0.3:0.1').values).toEqual([0.1, 0.2, 0.3]);
    expect(readAssignment('a=3:1:-1').values).toEqual([3, 2, 1]);
    expect(readAssignment('a.0.b=1,x, true')).toEqual({ path: ['a', '0', 'b'], values: [1, 'x', true] });
    expect(readAssignment('title=12:30')).toEqual({ path: ['title'], values: ['12:30'] });
    for (const wrong of ['beam.energy', '=1', 'a=1:2:0', 'a=2:1:1', 'a=0:1:1e-9'])
      expect(() => readAssignment(wrong)).toThrow();
  });

  it('changes one place and nothing else, and none that is not there', () => {
    const project = { beam: { energy: 1, sigma: [1, 2] }, other: {} };
    expect(assign(project, ['beam', 'sigma', '1'], 5)).toEqual({ beam: { energy: 1, sigma: [1, 5] }, other: {} });
    expect(project.beam.sigma).toEqual([1, 2]);
    for (const path of [
      ['beam', 'energie'],
      ['x'],
      ['beam', 'sigma', '2'],
      ['__proto__', 'x'],
      ['beam', 'energy', 'x'],
    ]) {
      expect(() => assign(project, path, 1)).toThrow('has no');
    }
  });

  it('makes every combination', () => {
    const all = combinations([readAssignment('a=1,2'), readAssignment('b=3,4')]);
    expect(all).toEqual([
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
    ]);
  });
});
