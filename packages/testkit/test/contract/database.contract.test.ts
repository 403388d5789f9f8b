import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase, sql } from '@tally/service-kit';
import { createTestDatabase, startTcpProxy, type TestDatabase, waitFor } from '../../src/index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  database = openDatabase({ url: server.url, connectionsMax: 3 });
  await database.run(sql`CREATE TABLE accounts (id bigint PRIMARY KEY, amount bigint NOT NULL CHECK (amount >= 0))`);
});
beforeEach(async () => {
  await database.run(sql`DELETE FROM accounts`);
  await database.run(sql`INSERT INTO accounts VALUES (1, 100), (2, 0)`);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const amounts = async () =>
  (await database.rows(sql<{ amount: bigint }>`SELECT amount FROM accounts ORDER BY id`)).map(({ amount }) => amount);
const lock = (id: number) => sql<{ amount: bigint }>`SELECT amount FROM accounts WHERE id = ${id} FOR NO KEY UPDATE`;
const add = (id: number, amount: bigint) => sql`UPDATE accounts SET amount = amount + ${amount} WHERE id = ${id}`;

describe('rows, row, run', () => {
  test('give typed values: int8 as bigint, arrays of it, instants, bytes', async () => {
    const row = await database.row(
      sql<{ a: bigint; b: bigint[]; c: bigint[]; d: Date; e: Buffer; f: null }>`
        SELECT 9007199254740993 AS a, ${[1n, 2n ** 62n]}::bigint[] AS b, '{}'::bigint[] AS c,
          '2026-11-22 10:00:00.25+00'::timestamptz AS d, ${Buffer.from([0, 255])}::bytea AS e, NULL AS f`,
    );
    expect(row).toEqual({
      a: 9007199254740993n,
      b: [1n, 2n ** 62n],
      c: [],
      d: new Date('2026-11-22T10:00:00.250Z'),
      e: Buffer.from([0, 255]),
      f: null,
    });
  });

  test('say that there is no row, and how many were changed', async () => {
    await expect(database.row(sql`SELECT 1 WHERE false`)).resolves.toBeUndefined();
    await expect(database.run(sql`UPDATE accounts SET amount = 5`)).resolves.toBe(2);
  });

  test('parse a statement once a connection', async () => {
    for (let i = 0; i < 20; i++) await database.row(sql`SELECT ${i}::int AS once_a_connection`);
    const named = await database.rows(sql`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%once_a_%'`);
    expect(named.length).toBe(2); // this one and that one
  });
});

describe('change', () => {
  const transfer = (amount: bigint) =>
    database.change([lock(1), lock(2)], ([from], [to]) => ({
      save: [add(1, -amount), add(2, amount)],
      result: (from?.amount ?? 0n) - amount + (to?.amount ?? 0n),
    }));

  test('stores all of what was decided', async () => {
    await expect(transfer(30n)).resolves.toBe(70n);
    await expect(amounts()).resolves.toEqual([70n, 30n]);
  });

  test('stores nothing when a statement fails, and leaves no transaction open', async () => {
    await expect(transfer(130n)).rejects.toThrow('accounts_amount_check');
    await expect(amounts()).resolves.toEqual([100n, 0n]);
    await expect(
      database.rows(sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND state LIKE 'idle in transaction%'`),
    ).resolves.toEqual([]);
  });

  test('stores nothing when loading or the decision fails', async () => {
    await expect(database.change([sql`SELECT 1 / 0`], () => ({ save: [add(1, 1n)], result: 0 }))).rejects.toThrow(
      'division by zero',
    );
    const refuse = database.change([lock(1)], () => {
      throw new RangeError('refused');
    });
    await expect(refuse).rejects.toThrow('refused');
    await expect(amounts()).resolves.toEqual([100n, 0n]);
  });

  test('a statement that loads sees what was committed while one before it waited for a lock', async () => {
    const withdraw = () =>
      database.change([lock(1), sql<{ amount: bigint }>`SELECT amount FROM accounts WHERE id = 1`], (_, [seen]) => ({
        save: [add(1, -1n)],
        result: seen?.amount,
      }));
    const seen = await Promise.all(Array.from({ length: 20 }, withdraw));
    expect(seen.toSorted((a, b) => Number((b ?? 0n) - (a ?? 0n)))).toEqual(
      Array.from({ length: 20 }, (_, i) => 100n - BigInt(i)),
    );
  });

  test('gives what the statements that save return', async () => {
    const saved = await database.change([lock(1)], () => ({
      save: [sql`UPDATE accounts SET amount = 7 WHERE id = 1 RETURNING amount`],
      result: (rows) => rows,
    }));
    expect(saved).toEqual([[{ amount: 7n }]]);
  });
});

describe('transact', () => {
  test('rolls back when the work throws', async () => {
    const work = database.transact(async (transaction) => {
      await transaction.run(add(1, 1n));
      throw new RangeError('no');
    });
    await expect(work).rejects.toThrow('no');
    await expect(amounts()).resolves.toEqual([100n, 0n]);
  });
});

describe('a connection that breaks', () => {
  test('is UNAVAILABLE for who used it, and nobody else notices', async () => {
    const broken = database.transact(async (transaction) => {
      await transaction.run(add(1, 1n));
      await database.run(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`);
      await transaction.run(add(1, 1n));
    });
    await expect(broken).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    await expect(amounts()).resolves.toEqual([100n, 0n]);
    await expect(database.check()).resolves.toBeUndefined();
  });
});

describe('a connection whose other end is gone, and nobody says so', () => {
  test('fails what waits on it after a while, and is not used again', async () => {
    const url = new URL(server.url);
    const proxy = await startTcpProxy(url.host, () => 0);
    url.host = proxy.address;
    const behind = openDatabase({ url: url.href, connectionsMax: 2, statementTimeoutMs: 100 });
    const statements = () => [
      behind.row(sql`SELECT 1`),
      behind.change([lock(1)], ([row]) => ({ save: [add(2, 1n)], result: row?.amount })),
    ];
    await Promise.all(statements());
    proxy.set({ kind: 'half-open' });
    const waiting = await Promise.allSettled(statements());
    expect(waiting.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
      expect.stringMatching(/SERVICE_UNAVAILABLE|not available/),
      expect.stringMatching(/SERVICE_UNAVAILABLE|not available/),
    ]);
    proxy.set({ kind: 'up' });
    for (let i = 0; i < 4; i++) await Promise.all(statements());
    expect(behind.pool().waiting).toBe(0);
    await behind.close();
    await proxy.close();
  });
});

describe('more work than connections', () => {
  test('waits for its turn, and is UNAVAILABLE when none comes', async () => {
    const small = openDatabase({ url: server.url, connectionsMax: 2 });
    const holder = openDatabase({ url: server.url, connectionsMax: 1 });
    await holder.row(sql`SELECT pg_advisory_lock(1)::text`);
    const held = [1, 2].map(() => small.row(sql`SELECT pg_advisory_lock_shared(1)::text`));
    const late = Array.from({ length: 20 }, () => small.row(sql`SELECT 1 AS one`));
    expect(small.pool().waiting).toBe(20);
    const refused = await Promise.allSettled(late);
    expect(refused).toEqual(
      late.map(() => ({ status: 'rejected', reason: expect.objectContaining({ reason: 'SERVICE_UNAVAILABLE' }) })),
    );
    await holder.row(sql`SELECT pg_advisory_unlock(1)`);
    await Promise.all(held);
    await holder.close();
    await expect(Promise.all(late.map(() => small.row(sql`SELECT 1 AS one`)))).resolves.toHaveLength(20);
    expect(small.pool()).toEqual({ open: 2, idle: 2, waiting: 0 });
    await small.close();
  });

  test('is UNAVAILABLE when the server gives no further connection, and goes on when it does', async () => {
    const url = new URL(server.url);
    await database.run(sql`CREATE ROLE limited LOGIN PASSWORD 'limited' CONNECTION LIMIT 1`);
    [url.username, url.password] = ['limited', 'limited'];
    const [first, second] = [1, 2].map(() => openDatabase({ url: url.href, connectionsMax: 1 }));
    await first?.check();
    await expect(second?.check()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    await first?.close();
    await waitFor(() => second?.check().then(() => true, () => false)); // biome-ignore format: one line
    await second?.close();
    await database.run(sql`DROP ROLE limited`);
  });
});
