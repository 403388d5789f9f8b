// `prisma migrate deploy` without the CLI: DATABASE_URL=… node tools/migrate-deploy.mjs <migrations folder>
//
// The URL comes from the environment, or from the file that DATABASE_URL_FILE names, never from the command line, where every user of the
// machine could read it.
// Creates the database if it is missing, applies what is pending, and leaves the same _prisma_migrations as the CLI,
// because Prisma's own engine writes it. Safe to start several times at once (the engine takes an advisory lock).
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
    process.exit(2);
  }
  try {
    const applied = await migrateDeploy(path.resolve(dir), url);
    console.log(applied.length ? `applied ${applied.join(', ')}` : 'nothing to apply');
    process.exit(0); // not by falling off the end: the engine leaves a 10 s timer armed
  } catch (err) {
    console.error(`migration failed: ${err.message}`);
    process.exit(1);
  }
}
