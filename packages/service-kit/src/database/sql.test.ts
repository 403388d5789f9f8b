import { describe, expect, test } from '@jest/globals';
import { prepare, sql, sqlNumber } from './sql.js';

describe('sql', () => {
  test('numbers values and keeps them apart from the text', () => {
    const { text, values } = prepare(sql`SELECT ${1} FROM tasks WHERE name = ${"'; DROP TABLE tasks"}`);
    expect(text).toBe('SELECT $1 FROM tasks WHERE name = $2');
    expect(values).toEqual([1, "'; DROP TABLE tasks"]);
  });

  test('makes a statement inside another part of its text, values in order', () => {
    const isDue = sql`due_at < ${'now'}`;
    const { text, values } = prepare(sql`SELECT ${1} WHERE ${isDue} AND (${isDue}) LIMIT ${3}`);
    expect(text).toBe('SELECT $1 WHERE due_at < $2 AND (due_at < $3) LIMIT $4');
    expect(values).toEqual([1, 'now', 'now', 3]);
  });

  test('takes whole numbers into its text, and nothing else', () => {
    const { text, values } = prepare(sql`SELECT ${1} LIMIT ${sqlNumber(16)}`);
    expect(text).toBe('SELECT $1 LIMIT 16');
    expect(values).toEqual([1]);
    for (const value of [1.5, Number.NaN, '1; DROP TABLE tasks' as unknown as number])
      expect(() => sqlNumber(value)).toThrow(RangeError);
  });

  test('gives the same text the same name and another text another', () => {
    const find = (id: number) => prepare(sql`SELECT * FROM jobs WHERE id = ${id}`).name;
    expect(find(1)).toBe(find(2));
    expect(prepare(sql`SELECT * FROM jobs WHERE id = ${1}`).name).toBe(find(1));
    expect(prepare(sql`SELECT 2`).name).not.toBe(find(1));
  });
});
