'use strict';
// What Prisma reads from a PostgreSQL URL, as settings for the `pg` driver.
const { createRequire } = require('node:module');

// the copy that the adapter uses, so that there is only one
const pg = createRequire(require.resolve('@prisma/adapter-pg'))('pg');

const CONNECT_TIMEOUT_SECONDS = 5; // Prisma's own default

const quoteIdent = (name) => `"${name.replaceAll('"', '""')}"`;

function parseSsl(mode) {
  if (mode === 'require') return { rejectUnauthorized: false };
  if (mode === 'verify-ca' || mode === 'verify-full') return { rejectUnauthorized: true };
  return undefined;
}

/** `postgresql://user:password@host:port/database?schema=…` → `{schema, config}`; `config` is one for pg.Client. */
function parseUrl(url) {
  const parsed = new URL(url);
  const query = parsed.searchParams;
  const schema = query.get('schema') ?? 'public';
  return {
    schema,
    config: {
      // Separate fields, never `connectionString`: pg lets a connection string override `database`,
      // which would silently point the shadow database at the real one.
      host: query.get('host') ?? decodeURIComponent(parsed.hostname || 'localhost'),
      port: Number(parsed.port || 5432),
      user: decodeURIComponent(parsed.username || 'postgres'),
      password: decodeURIComponent(parsed.password || ''),
      database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
      ssl: parseSsl(query.get('sslmode')),
      options: `-c search_path=${quoteIdent(schema).replaceAll(' ', '\\ ')}`,
      connectionTimeoutMillis: Number(query.get('connect_timeout') ?? CONNECT_TIMEOUT_SECONDS) * 1000,
      max: 1, // one session: advisory locks and search_path must hold from one statement to the next
    },
  };
}

/** Settings for the server's maintenance database, where databases are created and dropped. */
const adminConfig = (config) => ({ ...config, database: 'postgres', options: undefined });

/** Runs one statement on a connection of its own. */
async function runOnce(config, sql) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

// duplicate_database, and the unique violation that two simultaneous CREATE DATABASE end in
const isAlreadyThere = (err) => err.code === '42P04' || err.code === '23505';

/** Creates the database of `config`; not an error if somebody else was faster. */
async function createDatabase(config) {
  try {
    await runOnce(adminConfig(config), `CREATE DATABASE ${quoteIdent(config.database)}`);
  } catch (err) {
    if (!isAlreadyThere(err)) throw err;
  }
}

module.exports = { pg, parseUrl, adminConfig, runOnce, createDatabase, quoteIdent };
