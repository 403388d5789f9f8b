import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotReadyError } from '../readiness.js';
import type { Database } from './database.js';
import { sql } from './sql.js';

/** What a service knows of its schema. */
export interface KnownSchema {
  readonly service: string;
  /** Its version. */
  readonly version: string;
  /** Names of its migrations. */
  readonly migrations: readonly string[];
}

/** The schema that the code of a service knows, from its package. @param module - `import.meta.url` of a file of the package */
export function readKnownSchema(module: string): KnownSchema {
  let dir = dirname(fileURLToPath(module));
  while (!existsSync(join(dir, 'prisma/migrations'))) {
    if (dir === dirname(dir)) throw new Error(`there is no folder prisma/migrations above ${module}`);
    dir = dirname(dir);
  }
  const { name, version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const entries = readdirSync(join(dir, 'prisma/migrations'), { withFileTypes: true });
  const migrations = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return { service: name.replace(/^@tally\//, ''), version, migrations };
}

/** What the code works with: the schema of its release and of the one after it (STYLE 16), whose versions differ in the second number. */
const RELEASES_AHEAD_MAX = 1;

/** Whether a schema that a release has made is too new for another: the first number says nothing of how many lie between. */
function isTooNew(made: string, own: string): boolean {
  const [[major = 0, minor = 0], [ownMajor = 0, ownMinor = 0]] = [numbersOf(made), numbersOf(own)];
  if (major !== ownMajor) return major > ownMajor && !(major === ownMajor + 1 && minor === 0);
  return minor > ownMinor + RELEASES_AHEAD_MAX;
}
const numbersOf = (version: string): number[] => version.split(/[.-]/).slice(0, 2).map(Number);

/** A schema that the code cannot work with: time, or a migrate job, mends it. */
export class SchemaError extends NotReadyError {}

/** SQLSTATE undefined_table: nothing was ever migrated. */
const UNDEFINED_TABLE = '42P01';
/** What a database says of who asks, by its SQLSTATE; any other fault: it does not answer. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password of its URL',
  '28000': 'it refuses the user of its URL',
  '3D000': 'the database of its URL does not exist',
  '42501': 'its user may not read what the service has stored',
};

interface Applied {
  readonly name: string;
  readonly isFinished: boolean;
  /** `<service> <version>` of the newest release that has migrated it; null: an older one, which did not say so. */
  readonly migratedBy: string | null;
}

function codeOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  if ('code' in err && typeof err.code === 'string') return err.code;
  return 'cause' in err ? codeOf(err.cause) : '';
}

/**
 * Whether a service can work with its database: it answers, has every migration of the code, and was not migrated by a release that the
 * code does not know. tools/migrate-deploy.mjs leaves the version of its release as the comment of the table.
 * @throws SchemaError; NotReadyError that says what the server refuses; SERVICE_UNAVAILABLE when it does not answer
 */
export async function checkSchema(database: Database, { service, version, migrations }: KnownSchema): Promise<void> {
  const applied = await database
    .rows(
      sql<Applied>`
        SELECT migration_name AS name, finished_at IS NOT NULL AS "isFinished",
          obj_description('_prisma_migrations'::regclass, 'pg_class') AS "migratedBy"
        FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    )
    .catch((cause: unknown) => {
      const code = codeOf(cause);
      if (code === UNDEFINED_TABLE) throw new SchemaError(`it is not migrated; run the migrate job of ${service}`);
      const refusal = REFUSALS[code];
      throw refusal === undefined ? cause : new NotReadyError(refusal, { cause });
    });
  // one that the code does not know is of the next release, whose migrate job may be at work
  const states = new Map(applied.map(({ name, isFinished }) => [name, isFinished]));
  const missing = migrations.find((name) => states.get(name) !== true);
  if (missing !== undefined) {
    const fault = states.has(missing) ? `the migration ${missing} has not ended` : `it lacks the migration ${missing}`;
    throw new SchemaError(`${fault}; run the migrate job of ${service} ${version}`);
  }
  const by = applied[0]?.migratedBy?.split(' ')[1] ?? version;
  if (isTooNew(by, version))
    throw new SchemaError(`it was migrated by ${service} ${by}, which is too new for ${version}`);
}
