import pg from 'pg';
import { startContainer } from '../infrastructure/docker.js';
import { freePort } from '../process/free-port.js';
import { type LocalPostgresOptions, type Standby, settingWords, startLocalPostgres } from './local-postgres.js';

/** A PostgreSQL server that lasts as long as its user wants, at most as long as this process. */
export interface Postgres {
  /** For people: which of the ways worked. */
  readonly how: string;
  /** URL of a database on this server. */
  url(database: string): string;
  /** Creates a database, as a copy of another one if a template is named (nobody may be connected to that). */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Drops a database with all its connections; not an error if it is not there. */
  dropDatabase(name: string): Promise<void>;
  /** Ends the server if it is ours. Safe to repeat. */
  stop(): Promise<void>;
  /** Only for servers started from programs on this machine: the process that all of its others are children of. */
  readonly processId?: () => number;
  /** Only for servers of our own: die like in a power cut, and come back on the same port with the same data. */
  readonly power?: { cut(): Promise<void>; restore(): Promise<void> };
  /** Only for servers started from programs on this machine: a standby with all that is committed from now on. */
  readonly addStandby?: () => Promise<Standby>;
}

/** How the server is to be, and who hears what was chosen. `dataDir`, `version`, `certificate`: only of programs on this machine. */
export interface StartPostgresOptions extends LocalPostgresOptions {
  /** Hears one line about which way worked. */
  readonly log?: (line: string) => void;
}

/** PostgreSQL's error codes (appendix A of its manual) that this package tells apart. */
export const PG_ERROR = { duplicateDatabase: '42P04', uniqueViolation: '23505', invalidCatalogName: '3D000' } as const;

const IMAGE = 'postgres:18-alpine';
const IMAGE_PORT = 5432;

function quoteIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function databaseUrl(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Runs a statement on a connection of its own. */
export async function runStatement<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * The server at a URL, without taking part in its life.
 *
 * @param adminUrl - its path names the database to work from, by a user who may create databases
 */
export function connectPostgres(adminUrl: string, how = 'PostgreSQL at the given URL'): Postgres {
  return {
    how,
    url: (database) => databaseUrl(adminUrl, database),
    async createDatabase(name, template) {
      const suffix = template === undefined ? '' : ` TEMPLATE ${quoteIdent(template)}`;
      await runStatement(adminUrl, `CREATE DATABASE ${quoteIdent(name)}${suffix}`);
    },
    async dropDatabase(name) {
      await runStatement(adminUrl, `DROP DATABASE IF EXISTS ${quoteIdent(name)} WITH (FORCE)`);
    },
    stop: () => Promise.resolve(),
  };
}

async function startInDocker({ settings }: StartPostgresOptions): Promise<Postgres | undefined> {
  const hostPort = await freePort();
  const container = await startContainer({
    image: IMAGE,
    containerPort: IMAGE_PORT,
    hostPort,
    environment: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
    command: [
      'postgres',
      ...['fsync=off', 'max_connections=300', ...settingWords(settings)].flatMap((setting) => ['-c', setting]),
    ],
    ready: { message: /database system is ready to accept connections/, times: 2 }, // once while it initialises
  });
  if (!container) return undefined;
  const server = connectPostgres(`postgresql://postgres@127.0.0.1:${hostPort}/postgres`, `Docker (${IMAGE})`);
  const power = { cut: () => container.kill(), restore: () => container.restart() };
  return { ...server, stop: () => container.stop(), power };
}

async function startHere(options: StartPostgresOptions): Promise<Postgres | undefined> {
  const local = await startLocalPostgres(options);
  if (!local) return undefined;
  const server = connectPostgres(`${local.baseUrl}/postgres`, local.how);
  const power = { cut: () => local.kill(), restore: () => local.restart() };
  const addStandby = () => local.addStandby();
  return { ...server, stop: () => local.stop(), processId: () => local.processId(), power, addStandby };
}

/**
 * Brings up a server of our own, never one that others use: Docker (not with what only programs take), binaries from npm, programs of
 * the system. Throws if none of these is there.
 */
export async function startOwnPostgres(options: StartPostgresOptions = {}): Promise<Postgres> {
  const isOfPrograms = [options.dataDir, options.version, options.certificate].some((value) => value !== undefined);
  const server = (isOfPrograms ? undefined : await startInDocker(options)) ?? (await startHere(options));
  if (!server) {
    throw new Error('no PostgreSQL: set TEST_DATABASE_URL, start Docker, or install PostgreSQL on this system');
  }
  options.log?.(`PostgreSQL: ${server.how}`);
  return server;
}

/**
 * A PostgreSQL server by the first way that works: the URL in TEST_DATABASE_URL, else {@link startOwnPostgres}. The
 * caller stops it; should this process end without, the server ends with it.
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (!given) return startOwnPostgres(options);
  const server = connectPostgres(given, 'PostgreSQL at TEST_DATABASE_URL');
  options.log?.(`PostgreSQL: ${server.how}`);
  return server;
}
