import { spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestCertificate } from '../infrastructure/certificates.js';

/** Whom a server process runs as; empty for "as we are". */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const result = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout) : undefined;
}

/**
 * PostgreSQL refuses to run as root, and no server of a test should: `nobody` when we are root, ourselves otherwise.
 */
export function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const uid = idOf('-u');
  const gid = idOf('-g');
  if (uid === undefined || gid === undefined) throw new Error('running as root, and there is no user "nobody"');
  return { uid, gid };
}

/** Gives a file or folder (not its content) to the user. */
export function giveTo(user: RunAs, file: string): void {
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
}

/** Whether the user can start the program: not if it lies below a folder that is closed to them, such as /root. */
export function canRun(user: RunAs, program: string, args: readonly string[]): boolean {
  const result = spawnSync(program, args, { ...user, cwd: '/', stdio: 'ignore' });
  return result.status === 0;
}

/** Throws if the user cannot write to a folder, because it lies below one that is closed to them. */
export function assertWritable(user: RunAs, dir: string): void {
  if (canRun(user, 'test', ['-w', dir])) return;
  throw new Error(`${dir} is closed to the user "nobody", as whom servers run here: choose a folder outside of it`);
}

/** Files of a certificate and its key that the user alone can read. */
export function writeCertificate(user: RunAs, dir: string, { cert, key }: TestCertificate) {
  const files = { cert: path.join(dir, 'server.crt'), key: path.join(dir, 'server.key') };
  for (const [file, text] of [
    [files.cert, cert],
    [files.key, key],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
    giveTo(user, file);
  }
  return files;
}
