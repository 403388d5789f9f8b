import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedPostgres } from '../../src/infrastructure/shared-infrastructure.js';
import { createTestDatabase, migrateTemplate, type TestDatabase } from '../../src/postgres/migrated-database.js';
import { type Postgres, runStatement } from '../../src/postgres/postgres.js';
import { workspaceRoot } from '../../src/workspace-root.js';

const MIGRATIONS = 'packages/testkit/test/fixtures/shelf/prisma/migrations';

describe('a test database', () => {
  let server: Postgres;
  let first: TestDatabase;
  let second: TestDatabase;

  beforeAll(async () => {
    server = await sharedPostgres();
    [first, second] = await Promise.all([createTestDatabase(MIGRATIONS), createTestDatabase(MIGRATIONS)]);
  });
  afterAll(async () => {
    await first.drop();
    await second.drop();
  });

  it('has the schema that the migrations describe, functions with semicolons included', async () => {
    await expect(runStatement(first.url, "INSERT INTO books (title) VALUES (';')")).rejects.toThrow(/needs a title/);
  });

  it('records each migration the way the Prisma CLI does', async () => {
    const rows = await runStatement(
      first.url,
      'SELECT migration_name, applied_steps_count, finished_at IS NOT NULL AS finished, length(checksum) AS digits ' +
        'FROM _prisma_migrations ORDER BY migration_name',
    );
    expect(rows).toEqual([
      { migration_name: '20260101000000_create_books', applied_steps_count: 1, finished: true, digits: 64 },
      { migration_name: '20260102000000_add_loans', applied_steps_count: 1, finished: true, digits: 64 },
    ]);
  });

  it('is not seen by another one of the same service', async () => {
    await runStatement(first.url, "INSERT INTO books (title) VALUES ('one')");
    expect(await runStatement(second.url, 'SELECT title FROM books')).toEqual([]);
  });

  it('comes from one template, however many ask for it at once', async () => {
    const dir = `${workspaceRoot()}/${MIGRATIONS}`;
    const names = await Promise.all([1, 2, 3].map(() => migrateTemplate(server, dir)));
    expect(new Set(names).size).toBe(1);
  });

  it('is gone after it was dropped', async () => {
    const third = await createTestDatabase(MIGRATIONS);
    await third.drop();
    await expect(runStatement(third.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('is empty without a migrations folder', async () => {
    const empty = await createTestDatabase();
    const tables = await runStatement(empty.url, "SELECT * FROM pg_tables WHERE schemaname = 'public'");
    await empty.drop();
    expect(tables).toEqual([]);
  });
});
