import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, freePort, runStatement, type TestDatabase, workspaceRoot } from '../../src/index.js';

// tools/migrate-deploy.mjs by its exit code: the migrate job of the chart repeats what ends with 1, and fails at once with 3.

const FIRST = '20260101000000_add_things';
const SECOND = '20260101000001_add_more';
let folder: string;
let database: TestDatabase;

const write = (name: string, statements: string) => {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'migration.sql'), statements);
};
const deploy = (url = database.url) => {
  const args = [path.join(workspaceRoot(), 'tools/migrate-deploy.mjs'), folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    encoding: 'utf8',
  });
  return { status, said: (status === 0 ? stdout : stderr).trim() };
};
const withUrl = (change: (url: URL) => void) => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-migrations-'));
  writeFileSync(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  write(FIRST, 'CREATE TABLE things (id int PRIMARY KEY);');
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('migrate-deploy', () => {
  it('ends with 1 while the database cannot be reached, or takes nobody', async () => {
    const port = await freePort();
    expect(deploy(withUrl((url) => (url.port = String(port))))).toMatchObject({ status: 1 });
    expect(deploy(withUrl((url) => (url.hostname = 'nowhere.invalid')))).toMatchObject({ status: 1 });
  });

  it('ends with 3 where the URL is none', () => {
    expect(deploy('postgres//nowhere')).toMatchObject({ status: 3, said: expect.stringContaining('Invalid URL') });
  });

  it('ends with 0 when all is applied, and when nothing is left', () => {
    expect(deploy()).toEqual({ status: 0, said: `applied ${FIRST}` });
    expect(deploy()).toEqual({ status: 0, said: 'nothing to apply' });
  });

  it('ends with 1 when a migration waits for a lock in vain', async () => {
    write(SECOND, "SET lock_timeout = '1ms'; DO $$ BEGIN RAISE lock_not_available; END $$;");
    expect(deploy()).toEqual({ status: 1, said: `migration failed: ${SECOND}: lock_not_available` });
  });

  it('ends with 3 when the migration has failed before', () => {
    expect(deploy()).toMatchObject({ status: 3, said: expect.stringContaining(SECOND) });
  });

  it('ends with 3 when the database refuses a migration, with its words', async () => {
    await runStatement(database.url, `DELETE FROM _prisma_migrations WHERE migration_name = '${SECOND}'`);
    write(SECOND, 'ALTER TABLE nothings ADD COLUMN name text;');
    expect(deploy()).toEqual({
      status: 3,
      said: `migration failed: ${SECOND}: relation "nothings" does not exist`,
    });
  });
});
