import { describe, expect, it } from '@jest/globals';
import { readGroups, writeGroups } from './user-groups.js';

describe('groups of the acting user', () => {
  it('are read as they were written', () => {
    const groups = new Map([
      ['0011223344556677', 'viewer'],
      ['8899aabbccddeeff', 'manager'],
    ]);
    expect(readGroups(writeGroups(groups))).toEqual(groups);
    expect(readGroups(writeGroups(new Map()))).toEqual(new Map());
  });

  it('are none where the text is something else', () => {
    for (const text of ['', ',', 'a', '=', 'a=', '=b', 'a=b=c']) expect(readGroups(text)).toEqual(new Map());
    expect(readGroups('a=b,x,c=d')).toEqual(
      new Map([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    );
  });
});
