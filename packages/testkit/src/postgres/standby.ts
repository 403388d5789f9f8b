import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { giveTo, type RunAs } from '../process/unprivileged-user.js';
import { waitFor } from '../wait-for.js';

/** Of the standby, to its primary: as replication slot, and as what the primary waits for. */
const NAME = 'standby';
/** Folders whose content a base backup leaves out (continuous archiving in PostgreSQL's manual). */
const LEFT_EMPTY = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']; // biome-ignore format: one line
const STREAMING_TIMEOUT_MS = 60_000;

/**
 * Copies the data folder of a running server into an empty folder that a standby can be started on; it streams what
 * follows. As pg_basebackup does it, which is not among PostgreSQL's binaries from npm.
 * @param url - of a database of the primary, as superuser
 */
export async function copyForStandby(url: string, dataDir: string, copyDir: string, user: RunAs): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots`);
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [NAME]); // keeps what it has yet to stream
    await client.query('SELECT pg_backup_start($1, true)', [NAME]); // the label is written when this connection says so
    await copyData(dataDir, copyDir, user);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFor(user, path.join(copyDir, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  const { hostname, port } = new URL(url);
  writeFor(user, path.join(copyDir, 'standby.signal'), '');
  const primary = `host=${hostname} port=${port} user=postgres application_name=${NAME}`;
  appendFileSync(
    path.join(copyDir, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary}'\nprimary_slot_name = '${NAME}'\n`,
  );
}

/** Resolves when the primary tells nobody of a commit any more that the standby does not have. */
export async function makeSynchronous(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
    await client.query('SELECT pg_reload_conf()');
    const isSynchronous = async () => {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
      );
      return rowCount === 1;
    };
    await waitFor(isSynchronous, { timeoutMs: STREAMING_TIMEOUT_MS, what: 'the standby to stream' });
  } finally {
    await client.end();
  }
}

/** Makes a standby a server of its own. */
export async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pg_promote: boolean }>('SELECT pg_promote(true, 60)');
    if (rows[0]?.pg_promote !== true) throw new Error('the standby was not promoted');
  } finally {
    await client.end();
  }
}

/** Files that go while they are copied may be missing: what they held is in what is streamed. */
async function copyData(dataDir: string, copyDir: string, user: RunAs): Promise<void> {
  rmSync(copyDir, { recursive: true, force: true });
  mkdirSync(copyDir, { mode: 0o700 });
  giveTo(user, copyDir);
  const left = new Set([...LEFT_EMPTY, 'postmaster.pid', 'postmaster.opts']);
  const copied = readdirSync(dataDir).filter((name) => !left.has(name));
  const args = ['-R', ...copied.map((name) => path.join(dataDir, name)), copyDir];
  await once(spawn('cp', args, { ...user, cwd: '/', stdio: 'ignore' }), 'close');
  for (const name of LEFT_EMPTY) {
    mkdirSync(path.join(copyDir, name), { mode: 0o700 });
    giveTo(user, path.join(copyDir, name));
  }
}

function writeFor(user: RunAs, file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  giveTo(user, file);
}
