import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { sharedPostgres } from '../infrastructure/shared-infrastructure.js';
import { workspaceRoot } from '../workspace-root.js';
import { PG_ERROR, type Postgres } from './postgres.js';

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it, also under open connections. */
  drop(): Promise<void>;
}

/** Hash over the names and contents of all files of a migrations folder. */
export function hashMigrations(migrationsDir: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrationsDir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:sql|toml)$/.test(name)) continue;
    const content = readFileSync(path.join(migrationsDir, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Applies a service's migrations to the database of a URL, with the program that production uses. */
export async function deployMigrations(migrationsDir: string, url: string): Promise<void> {
  // in a process of its own: the engine is WebAssembly, which is loaded once a process and not once a test file
  const program = path.join(workspaceRoot(), 'tools/migrate-deploy.mjs');
  const child = spawn(process.execPath, [program, migrationsDir], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`migrations of ${migrationsDir}: ${complaint.trim()}`);
}

async function databaseExists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

/**
 * Makes the template database of a migrations folder, once per server and content, whoever asks first; safe to call from
 * several processes at once. Returns its name.
 */
export async function migrateTemplate(server: Postgres, migrationsDir: string): Promise<string> {
  const hash = hashMigrations(migrationsDir).slice(0, 16);
  const name = `tally_template_${hash}`;
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]); // goes with the connection
    if (await databaseExists(client, name)) return name;
    // a name of its own until it is complete: one that a killed run left half done is never taken for a template
    const unfinished = `tally_unfinished_${hash}`;
    await server.dropDatabase(unfinished);
    await server.createDatabase(unfinished);
    await deployMigrations(migrationsDir, server.url(unfinished));
    await client.query(`ALTER DATABASE "${unfinished}" RENAME TO "${name}"`);
    return name;
  } finally {
    await client.end();
  }
}

/** A fresh copy of a template database, about 0.1 s. */
export async function cloneDatabase(server: Postgres, template: string): Promise<TestDatabase> {
  const name = `tally_test_${randomUUID().replaceAll('-', '')}`;
  await server.createDatabase(name, template);
  return { url: server.url(name), drop: () => server.dropDatabase(name) };
}

/**
 * A database with a service's schema on a server of the caller's; empty without a migrations folder.
 *
 * @param migrationsDir - for example `services/auth/prisma/migrations`, from the root of the checkout
 */
export async function createTestDatabaseOn(server: Postgres, migrationsDir?: string): Promise<TestDatabase> {
  if (migrationsDir === undefined) return cloneDatabase(server, 'template0');
  return cloneDatabase(server, await migrateTemplate(server, path.resolve(workspaceRoot(), migrationsDir)));
}

/** For a test file: {@link createTestDatabaseOn} the server of this test run. */
export async function createTestDatabase(migrationsDir?: string): Promise<TestDatabase> {
  return createTestDatabaseOn(await sharedPostgres(), migrationsDir);
}

/** For the demo and development: creates the database if it is not there, applies what is pending; returns its URL. */
export async function migrateDatabase(server: Postgres, name: string, migrationsDir: string): Promise<string> {
  try {
    await server.createDatabase(name);
  } catch (err) {
    if (!(err instanceof pg.DatabaseError) || err.code !== PG_ERROR.duplicateDatabase) throw err;
  }
  const url = server.url(name);
  await deployMigrations(path.resolve(workspaceRoot(), migrationsDir), url);
  return url;
}
