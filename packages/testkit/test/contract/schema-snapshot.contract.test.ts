// tools/: Prisma's migrations through the WebAssembly engine, and the check that they lead to schema.prisma.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedPostgres } from '../../src/infrastructure/shared-infrastructure.js';
import { createTestDatabase, deployMigrations } from '../../src/postgres/migrated-database.js';
import { runStatement } from '../../src/postgres/postgres.js';
import { workspaceRoot } from '../../src/workspace-root.js';

const ROOT = workspaceRoot();
const SHELF = path.join(ROOT, 'packages/testkit/test/fixtures/shelf');
const TIMEOUT_MS = 90_000; // the Prisma CLI takes 3 s, and on a busy machine ten times that

async function runTool(cwd: string, databaseUrl: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, TEST_DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code: code ?? -1, output };
}

describe('the migrations of a service', () => {
  let service: string;
  beforeEach(() => {
    const scratch = path.join(ROOT, '.tally'); // inside the checkout, where prisma/config is found
    mkdirSync(scratch, { recursive: true });
    service = mkdtempSync(path.join(scratch, 'shelf-'));
    cpSync(SHELF, service, { recursive: true });
  });
  afterEach(() => rmSync(service, { recursive: true, force: true }));

  const check = async (): Promise<{ code: number; output: string }> => {
    const server = await sharedPostgres();
    const args = [path.join(ROOT, 'tools/schema-snapshot.mjs'), '--check', path.relative(ROOT, service)];
    return runTool(ROOT, server.url('postgres'), ...args);
  };

  it(
    'agree with schema.prisma and the snapshot',
    async () => {
      expect(await check()).toMatchObject({ code: 0 });
    },
    TIMEOUT_MS,
  );

  it(
    'are found out when schema.prisma says something else',
    async () => {
      const schema = path.join(service, 'prisma/schema.prisma');
      writeFileSync(schema, readFileSync(schema, 'utf8').replace('title String', 'title String?'));
      const { code, output } = await check();
      expect(code).toBe(1);
      expect(output).toMatch(/do not lead to schema.prisma[^]*books[^]*title/);
    },
    TIMEOUT_MS,
  );

  it(
    'are found out when they do what the snapshot does not show',
    async () => {
      const script = path.join(service, 'prisma/migrations/20260102000000_add_loans/migration.sql');
      appendFileSync(script, 'ALTER TABLE "loans" ADD CONSTRAINT "loans_named" CHECK ("borrower" <> \'\');');
      const { code, output } = await check();
      expect(code).toBe(1);
      expect(output).toContain('+   CONSTRAINT loans_named CHECK');
    },
    TIMEOUT_MS,
  );

  it(
    'look to the Prisma CLI like its own work',
    async () => {
      const database = await createTestDatabase(path.join(service, 'prisma/migrations'));
      const { code, output } = await runTool(
        service,
        database.url,
        path.join(ROOT, 'tools/prisma.mjs'),
        'migrate',
        'deploy',
      );
      await database.drop();
      expect(output).toContain('No pending migrations to apply');
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'leave nothing of one that fails, and stop the next run until somebody has looked',
    async () => {
      const database = await createTestDatabase();
      const dir = path.join(service, 'prisma/migrations');
      appendFileSync(path.join(dir, '20260102000000_add_loans/migration.sql'), 'SELECT 1 / 0;');
      await expect(deployMigrations(dir, database.url)).rejects.toThrow(/division by zero/);
      const tables = await runStatement(
        database.url,
        "SELECT tablename FROM pg_tables WHERE tablename IN ('books', 'loans')",
      );
      expect(tables).toEqual([{ tablename: 'books' }]);
      await expect(deployMigrations(dir, database.url)).rejects.toThrow(/failed migrations/);
      await database.drop();
    },
    TIMEOUT_MS,
  );

  it(
    'are applied once when several start at the same moment',
    async () => {
      const database = await createTestDatabase();
      const dir = path.join(service, 'prisma/migrations');
      await Promise.all([1, 2, 3].map(() => deployMigrations(dir, database.url)));
      const rows = await runStatement(database.url, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1');
      expect(rows).toHaveLength(2);
      await database.drop();
    },
    TIMEOUT_MS,
  );
});
