import { describe, expect, test } from '@jest/globals';
import { copyQuery } from './copy.js';

describe('copyQuery', () => {
  test('writes whole numbers, lists and rows into the text', () => {
    expect(copyQuery`SELECT content FROM blocks WHERE id = ${2n ** 62n} AND at IN (${[1, -2]})`).toBe(
      'COPY (SELECT content FROM blocks WHERE id = 4611686018427387904 AND at IN (1, -2)) TO STDOUT (FORMAT binary)',
    );
    expect(copyQuery`SELECT * FROM (VALUES ${[[1n, 2], [3n, 4]]}) AS t`).toContain('(VALUES (1, 2), (3, 4)) AS t');
  });

  test('takes nothing that could be anything else', () => {
    for (const value of ['1', Number.NaN, 0.5, 2 ** 60, null, ['a'], [[{}]]]) {
      expect(() => copyQuery`SELECT ${value as never}`).toThrow(TypeError);
    }
  });
});
