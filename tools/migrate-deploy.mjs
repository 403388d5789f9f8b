// `prisma migrate deploy` without the CLI: DATABASE_URL=… node tools/migrate-deploy.mjs <migrations folder>
//
// The URL comes from the environment, or from the file that DATABASE_URL_FILE names, never from the command line, where every user of the
// machine could read it.
// Creates the database if it is missing, applies what is pending, and leaves the same _prisma_migrations as the CLI,
// because Prisma's own engine writes it. Safe to start several times at once (the engine takes an advisory lock).
// It ends with 0 when all is applied, with 3 when no repeat would help (a migration that the database refuses, or that failed
// before; a wrong password or URL), and with 1 when one may: the migrate job of the chart goes by it.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { openEngine } = require('./pg-engine.cjs');
const { createDatabase, parseUrl, runOnce } = require('./pg-url.cjs');

async function ensureDatabase({ config }) {
  try {
    await runOnce(config, 'SELECT 1');
  } catch (err) {
    if (err.code !== '3D000') throw err; // invalid_catalog_name: the database does not exist
    await createDatabase(config);
  }
}

/** The migrations folder in the shape the engine takes. */
export function readMigrations(dir) {
  const lockFile = path.join(dir, 'migration_lock.toml');
  const names = fs
    .readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const readScript = (name) => fs.readFileSync(path.join(dir, name, 'migration.sql'), 'utf8');
  return {
    baseDir: dir,
    lockfile: {
      path: 'migration_lock.toml',
      content: fs.existsSync(lockFile) ? fs.readFileSync(lockFile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: readScript(name) } },
    })),
  };
}

const isNewer = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

/** Leaves `<service> <version>` of the newest release that has migrated a database as the comment of _prisma_migrations: services read it. */
async function noteRelease(dir, url) {
  const manifest = path.join(dir, '../../package.json');
  if (!fs.existsSync(manifest)) return;
  const { name, version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  const { config } = parseUrl(url);
  const asked = await runOnce(config, `SELECT obj_description('_prisma_migrations'::regclass, 'pg_class') AS release`);
  const release = asked.rows[0].release;
  if (release !== null && !isNewer(version, release.split(' ')[1])) return;
  await runOnce(config, `COMMENT ON TABLE _prisma_migrations IS '${name.replace('@tally/', '')} ${version}'`);
}

/** Exit codes. */
export const ENDS = { willPass: 1, usage: 2, willNotPass: 3 };

/** Classes of SQLSTATE that pass: of connections, transactions, resources, locks, operators and the system. */
const PASSING = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);

/** Whether a repeat fails in the same way, by SQLSTATE, Prisma's number (P3…: of migrations) or Node's code. */
function willNotPass({ code = '' }) {
  if (code === 'ERR_INVALID_URL') return true;
  return /^(?:[0-4][0-9A-Z]{4}|P[03]\d{3})$/.test(code) && !PASSING.has(code.slice(0, 2));
}

/** Applies the pending migrations of a folder; returns their names in order. */
export async function migrateDeploy(dir, url) {
  await ensureDatabase(parseUrl(url));
  const { engine, explain, close } = await openEngine({ url });
  try {
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: readMigrations(dir), filters });
    await noteRelease(dir, url);
    return appliedMigrationNames;
  } catch (err) {
    throw explain(err);
  } finally {
    await close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [dir, ...rest] = process.argv.slice(2);
  const { DATABASE_URL: given, DATABASE_URL_FILE: file } = process.env;
  const url = given ?? (file && fs.readFileSync(file, 'utf8').trim());
  if (!dir || rest.length > 0 || !url) {
    console.error(
      'usage: DATABASE_URL=postgresql://… (or DATABASE_URL_FILE=…) node tools/migrate-deploy.mjs <migrations folder>',
    );
    process.exit(ENDS.usage);
  }
  try {
    const applied = await migrateDeploy(path.resolve(dir), url);
    console.log(applied.length ? `applied ${applied.join(', ')}` : 'nothing to apply');
    process.exit(0); // not by falling off the end: the engine leaves a 10 s timer armed
  } catch (err) {
    console.error(`migration failed: ${err.message}`);
    process.exit(willNotPass(err) ? ENDS.willNotPass : ENDS.willPass);
  }
}
