import { execFile, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '../workspace-root.js';

const run = promisify(execFile);
const UP_TIMEOUT_MS = 120_000;
const PURGE_TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 1_000_000;

const script = (name: string): string => path.join(workspaceRoot(), 'packages/testkit/cluster', name);

/** Folder of the cluster within a run directory. Unix sockets lie in it: the path must stay short. */
export const clusterFolder = (runDirectory: string): string => path.join(runDirectory, 'c');

/** Runs a script of `cluster/` and resolves to its standard output. @throws Error with what it wrote to stderr */
export async function runClusterScript(
  name: 'up.sh' | 'down.sh' | 'fault.sh',
  runDirectory: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const environment = { PATH: process.env.PATH, CLUSTER_DIR: clusterFolder(runDirectory), ...env };
  const limits = { timeout: UP_TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX };
  const { stdout } = await run('bash', [script(name), ...args], { env: environment, ...limits });
  return stdout;
}

/**
 * Ends every process of the cluster of a run directory, if it has one, and removes its users. Safe to repeat. Does
 * nothing in a folder that another user could have filled: what is recorded there is ended and removed as root.
 */
export function purgeCluster(runDirectory: string): void {
  const dir = clusterFolder(runDirectory);
  if (!existsSync(path.join(dir, '.cluster')) || statSync(runDirectory).uid !== process.getuid?.()) return;
  const env = { PATH: process.env.PATH, CLUSTER_DIR: dir };
  spawnSync('bash', [script('down.sh'), '--purge'], { env, stdio: 'ignore', timeout: PURGE_TIMEOUT_MS });
}
