// Databases: roles and databases of the services, their migrations, dumps.
import path from 'node:path';
import { DATABASES, databaseOf, logOf, SECRETS, SERVICES } from './layout.mjs';
import { engine, Fault, output, pipe, waitFor } from './system.mjs';

const START_TIMEOUT_MS = 120_000;
const inside = (...args) => ['exec', '--interactive', 'tally-postgresql', ...args];
/** Runs SQL as the administrator; what it says never stands in arguments. */
const psql = async (database, sql) =>
  pipe(
    await engine(),
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
    what: `PostgreSQL does not answer (${logOf('postgresql')})`,
    timeoutMs: START_TIMEOUT_MS,
  });

/** SQL for psql that makes roles and databases that are missing, and gives every role the password of its service. */
export const databasesSql = (services, secrets) =>
  services
    .filter((name) => SERVICES[name].hasDatabase)
    .map((service) => {
      const name = databaseOf(service);
      return `SELECT 'CREATE ROLE ${name} LOGIN' WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${literal(name)}) \\gexec
ALTER ROLE ${name} PASSWORD ${literal(passwordOf(secrets, service))};
SELECT 'CREATE DATABASE ${name} OWNER ${name}' WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = ${literal(name)}) \\gexec
REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC;
`;
    })
    .join('');

export const makeDatabases = (services, secrets) => psql('postgres', databasesSql(services, secrets));

/** Runs the migrations of services, as their images have them. */
export async function migrate(services, version) {
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
      '--volume',
      `${path.join(SECRETS, service)}:/run/secrets/tally:ro`,
      '--env',
      'DATABASE_URL_FILE=/run/secrets/tally/database-url',
    ];
    const image = `localhost/tally/${service}:${version}`;
    await output('podman', [...args, image, 'tools/migrate-deploy.mjs', 'prisma/migrations']).catch((err) => {
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
    await pipe(await engine(), inside('pg_dump', '--username=postgres', '--format=custom', name), { outputFile });
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
    await pipe(await engine(), inside(...args), { inputFile: path.join(folder, file) });
  }
}

export const serverVersion = async () =>
  (await output(await engine(), ['exec', 'tally-postgresql', 'postgres', '--version']))
    .replace(/^\D+/, '')
    .split(' ')[0];
