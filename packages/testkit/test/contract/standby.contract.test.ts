import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Postgres, runStatement, startOwnPostgres } from '../../src/index.js';

let postgres: Postgres;
let url: string;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  url = postgres.url('postgres');
  await runStatement(url, 'CREATE TABLE numbers (n int)');
});
afterAll(() => postgres?.stop());

const numbers = () => runStatement<{ n: number }>(url, 'SELECT n FROM numbers ORDER BY n');

describe('a standby', () => {
  it('has everything that was committed when its primary is killed, again and again, at the same address', async () => {
    const { addStandby } = postgres;
    if (addStandby === undefined) return; // in Docker
    for (const n of [1, 2]) {
      await runStatement(url, 'INSERT INTO numbers VALUES ($1)', [10 * n]);
      const standby = await addStandby();
      await runStatement(url, 'INSERT INTO numbers VALUES ($1)', [10 * n + 1]);
      await postgres.power?.cut();
      await expect(numbers()).rejects.toThrow();
      await standby.takeOver();
      await runStatement(url, 'INSERT INTO numbers VALUES ($1)', [10 * n + 2]);
    }
    expect((await numbers()).map(({ n }) => n)).toEqual([10, 11, 12, 20, 21, 22]);
  }, 300_000);
});
