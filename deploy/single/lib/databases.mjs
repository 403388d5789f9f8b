// Databases: roles and databases of the services, their migrations, dumps.
import path from 'node:path';
import { DATABASES, databaseOf, SERVICES } from './layout.mjs';
import { Fault, output, pipe, podman, waitFor } from './system.mjs';

const START_TIMEOUT_MS = 120_000;
const inside = (...args) => ['exec', '--interactive', 'tally-postgresql', ...args];
/** Runs SQL as the administrator; what it says never stands in arguments. */
const psql = (database, sql) =>
  pipe(
    'podman',
    inside(
      'psql',
      '--username=postgres',
      '--no-psqlrc',
      '--quiet',
      '--tuples-only',
      '--no-align',
      '--set=ON_ERROR_STOP=1',
      database,
    ),
    { input: sql },
  );

const passwordOf = (secrets, service) => new URL(secrets[service]['database-url']).password;
const literal = (text) => `'${text.replaceAll("'", "''")}'`;

export const waitForPostgres = () =>
  waitFor(() => psql('postgres', 'SELECT 1').then(Boolean, () => false), {
    what: 'PostgreSQL does not answer (journalctl -u tally-postgresql)',
    timeoutMs: START_TIMEOUT_MS,
  });

/** Makes roles and databases that are missing, and gives every role the password of its service. */
export async function makeDatabases(services, secrets) {
  for (const service of services.filter((name) => SERVICES[name].hasDatabase)) {
    const name = databaseOf(service);
    const has = async (table, column) =>
      (await psql('postgres', `SELECT 1 FROM ${table} WHERE ${column} = ${literal(name)}`)) === '1';
    if (!(await has('pg_roles', 'rolname'))) await psql('postgres', `CREATE ROLE ${name} LOGIN`);
    await psql('postgres', `ALTER ROLE ${name} PASSWORD ${literal(passwordOf(secrets, service))}`);
    if (!(await has('pg_database', 'datname'))) {
      await psql('postgres', `CREATE DATABASE ${name} OWNER ${name}`);
      await psql('postgres', `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    }
  }
}

/** Runs the migrations of services, as their images have them. */
export async function migrate(services, secrets, version) {
  for (const service of services.filter((name) => SERVICES[name].hasDatabase)) {
    const args = [
      'run',
      '--rm',
      '--network',
      'tally',
      '--read-only',
      '--cap-drop',
      'all',
      '--pids-limit',
      '0',
      '--user',
      '10001:10001',
    ];
    const image = `localhost/tally/${service}:${version}`;
    // the name of the variable only: podman takes its value from its own environment
    const env = { ...process.env, DATABASE_URL: secrets[service]['database-url'] };
    const what = [...args, '--env', 'DATABASE_URL', image, 'tools/migrate-deploy.mjs', 'prisma/migrations'];
    await output('podman', what, { env }).catch((err) => {
      throw new Fault(`the migration of ${service} failed: ${err.message}`);
    });
  }
}

/** Dumps all databases that there are into a folder. */
export async function dumpDatabases(folder) {
  const files = [];
  for (const service of DATABASES) {
    const name = databaseOf(service);
    if ((await psql('postgres', `SELECT 1 FROM pg_database WHERE datname = ${literal(name)}`)) !== '1') continue;
    const outputFile = path.join(folder, `${name}.dump`);
    await pipe('podman', inside('pg_dump', '--username=postgres', '--format=custom', name), { outputFile });
    files.push(`${name}.dump`);
  }
  return files;
}

/** Puts the databases of a folder in the place of what is there. The roles must exist. */
export async function restoreDatabases(folder, files) {
  for (const file of files) {
    const name = file.replace('.dump', '');
    await psql('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await psql('postgres', `CREATE DATABASE ${name} OWNER ${name}`);
    await psql('postgres', `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    const args = [
      'pg_restore',
      '--username=postgres',
      '--exit-on-error',
      '--no-owner',
      `--role=${name}`,
      `--dbname=${name}`,
    ];
    await pipe('podman', inside(...args), { inputFile: path.join(folder, file) });
  }
}

export const serverVersion = async () =>
  (await podman('exec', 'tally-postgresql', 'postgres', '--version')).replace(/^\D+/, '').split(' ')[0];
