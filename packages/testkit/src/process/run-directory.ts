import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { purgeCluster } from '../infrastructure/cluster-scripts.js';
import { processTree } from './crash.js';
import { identifyProcess, isSameProcess, type ProcessIdentity } from './process-identity.js';

// Every server has a private folder below the system's temp folder:
//   tally-<kind>-<random>/owner.json     the process that started it
//   tally-<kind>-<random>/servers/<pid>  the processes that must be ended with it
// so that a later run can end and remove what a killed one left behind.
const PREFIX = 'tally-';

function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startTicks' in value)) return undefined;
    const { pid, startTicks } = value;
    if (typeof pid !== 'number' || (typeof startTicks !== 'number' && startTicks !== null)) return undefined;
    return { pid, startTicks };
  } catch {
    return undefined; // not there, or cut short by a kill
  }
}

/** Makes a folder for a server; this process is its owner. */
export function createRunDirectory(kind: string): string {
  const dir = mkdtempSync(path.join(tmpdir(), `${PREFIX}${kind}-`));
  mkdirSync(path.join(dir, 'servers'));
  writeFileSync(path.join(dir, 'owner.json'), JSON.stringify(identifyProcess(process.pid)));
  return dir;
}

/** Notes a process that must not outlive the owner. */
export function recordServer(dir: string, pid: number): void {
  writeFileSync(path.join(dir, 'servers', String(pid)), JSON.stringify(identifyProcess(pid)));
}

/** Removes the folder; safe to repeat. */
export function removeRunDirectory(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
}

/** Ends the recorded processes that still live, and what they started; returns how many. */
function killServers(dir: string): number {
  const folder = path.join(dir, 'servers');
  const identities = readdirSync(folder).map((name) => readIdentity(path.join(folder, name)));
  const alive = identities.filter((identity) => identity !== undefined && isSameProcess(identity));
  for (const pid of alive.flatMap((identity) => (identity ? processTree(identity.pid) : []))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone in between, or another user's
    }
  }
  return alive.length;
}

/** What {@link cleanUpLeftovers} found and removed. */
export interface Leftovers {
  readonly serversKilled: number;
  readonly directoriesRemoved: number;
}

/**
 * Ends the servers and removes the folders whose owner is dead. Leaves those of other users and of living owners alone;
 * safe to run at any time, also several times at once.
 */
export function cleanUpLeftovers(): Leftovers {
  let serversKilled = 0;
  let directoriesRemoved = 0;
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const dir = path.join(tmpdir(), name);
    const owner = readIdentity(path.join(dir, 'owner.json'));
    if (!owner || isSameProcess(owner)) continue;
    try {
      purgeCluster(dir);
      serversKilled += killServers(dir);
      removeRunDirectory(dir);
      directoriesRemoved += 1;
    } catch {
      // another user's folder, or another run is cleaning it at this moment
    }
  }
  return { serversKilled, directoriesRemoved };
}
