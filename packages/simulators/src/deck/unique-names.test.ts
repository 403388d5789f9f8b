import { describe, expect, it } from '@jest/globals';
import { createUniqueNames } from './unique-names.js';

describe('unique names', () => {
  it('are numbered from 2, past what is taken already', () => {
    const names = createUniqueNames(['a', 'a3']);
    const claim = (wanted: string) => names.claim(wanted, (number) => `${wanted}${number}`);
    expect(['a', 'a', 'b', 'a2', 'b', 'a'].map(claim)).toEqual(['a2', 'a4', 'b', 'a22', 'b2', 'a5']);
  });

  it('are unlike each other in what is folded, too', () => {
    const names = createUniqueNames([], (name) => name.toLowerCase());
    const claim = (wanted: string) => names.claim(wanted, (number) => `${wanted}_${number}`);
    expect(['Dose', 'dose', 'DOSE'].map(claim)).toEqual(['Dose', 'dose_2', 'DOSE_3']);
  });

  it('ask as often for the last of many things of one name as for the second', () => {
    const names = createUniqueNames();
    let asked = 0;
    for (let i = 0; i < 1_000; i++) {
      names.claim('zone', (number) => {
        asked += 1;
        return `zone${number}`;
      });
    }
    expect(asked).toBe(999);
  });
});
