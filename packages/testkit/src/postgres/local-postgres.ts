import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { TestCertificate } from '../infrastructure/certificates.js';
import { onProcessEnd } from '../process/exit-hook.js';
import { freePort } from '../process/free-port.js';
import { createRunDirectory, recordServer, removeRunDirectory } from '../process/run-directory.js';
import { type ServerProcess, startServerProcess } from '../process/server-process.js';
import {
  assertWritable,
  giveTo,
  type RunAs,
  unprivilegedUser,
  writeCertificate,
} from '../process/unprivileged-user.js';
import { waitFor } from '../wait-for.js';
import { dataFolderVersion, findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';
import { copyForStandby, makeSynchronous, promote } from './standby.js';

/** A PostgreSQL server of our own, started from programs on this machine. */
export interface LocalPostgres {
  readonly how: string;
  /** Of the superuser, who needs no password from this machine; without a database. */
  readonly baseUrl: string;
  /** Of the process that all of its others are children of. */
  processId(): number;
  /** Ends the server in order; removes its folder unless the data folder was given. Safe to repeat. */
  stop(): Promise<void>;
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after {@link LocalPostgres.kill}, on the same port and data. */
  restart(): Promise<void>;
  /** Starts a standby that has everything that is committed from now on; one at a time. Not for data that is kept. */
  addStandby(): Promise<Standby>;
}

/** A server that follows another one by streaming replication. */
export interface Standby {
  /** Takes the place of its primary, which must have been killed: its port, and its data are what the standby has. */
  takeOver(): Promise<void>;
}

export interface LocalPostgresOptions {
  /** Absolute path: keep the data there, safely, beyond the end of the server. */
  readonly dataDir?: string;
  /** Settings of the server by name, instead of those that it has here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Major version, where programs of this system have to know the server: only such a one is taken. */
  readonly version?: number;
  /** It speaks TLS, too, with this certificate. */
  readonly certificate?: TestCertificate;
}

const START_TIMEOUT_MS = 180_000; // of a machine that does much else

// Throw-away data needs no protection against a power cut of the machine; data that is kept does. What is committed must be
// with the kernel all the same (synchronous_commit): tests kill the server and look for it.
const FAST = ['fsync=off', 'full_page_writes=off'];

function serverArgs(dataDir: string, port: number, { dataDir: kept, settings }: LocalPostgresOptions): string[] {
  const own = ['max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const all = [...own, ...(kept === undefined ? FAST : []), ...settingWords(settings)];
  return ['-D', dataDir, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
}

function tlsSettings(user: RunAs, dir: string, certificate: TestCertificate | undefined): Record<string, string> {
  if (certificate === undefined) return {};
  const { cert, key } = writeCertificate(user, dir, certificate);
  return { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key };
}

/** As the server's option `-c` takes them; of two for one name the last counts. */
export function settingWords(settings: LocalPostgresOptions['settings'] = {}): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

async function initialise(programs: PostgresPrograms, user: RunAs, dataDir: string): Promise<void> {
  // -A trust: it listens on this machine's loopback only; C locale: the same order of text everywhere
  const args = ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  const child = spawn(programs.initdb, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined); // never connected
  }
}

async function bootServer(
  programs: PostgresPrograms,
  user: RunAs,
  dir: string,
  args: readonly string[],
  url: string,
): Promise<ServerProcess> {
  const logFile = path.join(dir, 'postgres.log');
  const server = await startServerProcess({
    program: programs.postgres,
    args,
    user,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, // no PG… variable of ours may reach it
    logFile,
    stopSignal: 'SIGINT', // "fast": roll back what is open, close connections, write a checkpoint
  });
  recordServer(dir, server.pid);
  await waitFor(() => server.hasExited() || answers(url), { timeoutMs: START_TIMEOUT_MS, what: 'PostgreSQL' });
  if (server.hasExited()) throw new Error(`PostgreSQL ended at once: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
  return server;
}

/** Programs and a data folder that fit each other; undefined where there are no programs at all. */
async function prepareData(
  user: RunAs,
  dir: string,
  { dataDir: keptDataDir, version }: LocalPostgresOptions,
): Promise<{ programs: PostgresPrograms; dataDir: string } | undefined> {
  const dataDir = keptDataDir ?? path.join(dir, 'data');
  const dataVersion = dataFolderVersion(dataDir);
  const programs = findPostgresPrograms(user, dir, dataVersion ?? version);
  if (dataVersion !== undefined) {
    if (programs) return { programs, dataDir };
    throw new Error(`${dataDir} was written by PostgreSQL ${dataVersion}, which is not on this machine`);
  }
  if (!programs) return undefined;
  mkdirSync(path.dirname(dataDir), { recursive: true });
  mkdirSync(dataDir, { mode: 0o700, recursive: true });
  giveTo(user, dataDir);
  try {
    assertWritable(user, dataDir);
    await initialise(programs, user, dataDir);
  } catch (err) {
    rmSync(dataDir, { recursive: true, force: true }); // half a data folder would be taken for a whole one
    throw err;
  }
  return { programs, dataDir };
}

/** Starts a private server on a free port of 127.0.0.1; undefined where there are no programs for it. About 1 s. */
export async function startLocalPostgres(options: LocalPostgresOptions = {}): Promise<LocalPostgres | undefined> {
  const user = unprivilegedUser();
  const dir = createRunDirectory('postgres');
  let server: ServerProcess | undefined;
  let standby: ServerProcess | undefined;
  const takeBackHook = onProcessEnd(() => {
    standby?.killNow();
    server?.killNow();
    removeRunDirectory(dir);
  });
  const stop = async (): Promise<void> => {
    await standby?.stop();
    await server?.stop();
    takeBackHook();
    removeRunDirectory(dir);
  };
  try {
    giveTo(user, dir);
    const prepared = await prepareData(user, dir, options);
    if (!prepared) return await stop().then(() => undefined);
    const { programs } = prepared;
    let { dataDir } = prepared;
    const port = await freePort();
    const urlOf = (ownPort: number) => `postgresql://postgres@127.0.0.1:${ownPort}`;
    const baseUrl = urlOf(port);
    const given = { ...options, settings: { ...tlsSettings(user, dir, options.certificate), ...options.settings } };
    const bootOn = (folder: string, ownPort: number) =>
      bootServer(programs, user, dir, serverArgs(folder, ownPort, given), `${urlOf(ownPort)}/postgres`);
    const boot = async (): Promise<void> => {
      server = await bootOn(dataDir, port);
    };
    await boot();
    let copies = 0;
    const addStandby = async (): Promise<Standby> => {
      const copyDir = path.join(dir, `data-${++copies}`);
      const copyPort = await freePort();
      await copyForStandby(`${baseUrl}/postgres`, dataDir, copyDir, user);
      standby = await bootOn(copyDir, copyPort);
      await makeSynchronous(`${baseUrl}/postgres`);
      return {
        async takeOver() {
          await promote(`${urlOf(copyPort)}/postgres`);
          await standby?.stop();
          standby = undefined;
          rmSync(dataDir, { recursive: true, force: true });
          dataDir = copyDir;
          await boot();
        },
      };
    };
    return {
      how: `PostgreSQL ${programs.version}, ${programs.origin}`,
      baseUrl,
      processId() {
        if (server === undefined) throw new Error('PostgreSQL is not running');
        return server.pid;
      },
      stop,
      async kill() {
        await server?.crash();
      },
      restart: boot,
      addStandby,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}
