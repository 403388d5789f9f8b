import { describe, expect, it } from '@jest/globals';
import { createNameTable, FILE_NAME_RULES } from './name-table.js';

describe('name table', () => {
  it('gives one thing one name, two things two, and finds them again', () => {
    const names = createNameTable(FILE_NAME_RULES);
    expect(names.claim('a', 'Depth dose')).toBe('Depth_dose');
    expect(names.claim('b', 'Depth_dose')).toBe('Depth_dose_2');
    expect(names.claim('a', 'Depth dose')).toBe('Depth_dose');
    expect([names.find('Depth_dose'), names.find('Depth_dose_2'), names.find('none')]).toEqual(['a', 'b', undefined]);
  });

  it.each([
    ['Dosis für Ärzte', 'Dosis_fur_Arzte'],
    ['../../etc/passwd', 'etc_passwd'],
    ['-rf', 'rf'],
    ['a\nb\tc', 'a_b_c'],
    ['水', 'unnamed'],
    ['', 'unnamed'],
  ])('makes %j into %s', (name, expected) => {
    expect(createNameTable(FILE_NAME_RULES).claim('id', name)).toBe(expected);
  });

  it('cuts long names but keeps them apart', () => {
    const names = createNameTable({ ...FILE_NAME_RULES, lengthMax: 20 });
    const [one, other] = [names.claim('1', `${'x'.repeat(40)}1`), names.claim('2', `${'x'.repeat(40)}2`)];
    expect(one).toHaveLength(20);
    expect(other).toHaveLength(20);
    expect(one).not.toBe(other);
  });

  it('keeps to eight characters, a letter first, case without meaning and reserved names where a simulator says so', () => {
    const rules = { forbidden: /[^A-Za-z0-9]+/g, lengthMax: 8, fallback: 'fig', letterFirst: true, ignoresCase: true };
    const names = createNameTable(rules, ['world']);
    const claimed = ['World', '1st', 'a-very-long-name', 'A-VERY-LONG-NAME'].map((name, index) =>
      names.claim(String(index), name),
    );
    expect(claimed[0]).toBe('World_2');
    expect(claimed[1]).toBe('fig_1st');
    expect(new Set(claimed.map((name) => name.toLowerCase())).size).toBe(4);
    expect(claimed.every((name) => name.length <= 8)).toBe(true);
  });
});
