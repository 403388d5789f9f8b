import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { waitFor } from '../wait-for.js';
import { processExists, readProcStat } from './process-identity.js';

interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
}

function readProcFolder(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parentPid = readProcStat(Number(name))?.[1];
    if (parentPid !== undefined) rows.push({ pid: Number(name), parentPid: Number(parentPid) });
  }
  return rows;
}

function readPs(): ProcessRow[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parentPid = 0]) => ({ pid, parentPid }));
}

/** The process and everything it started, parents before children. */
export function processTree(pid: number): number[] {
  const rows = existsSync('/proc/self/stat') ? readProcFolder() : readPs();
  const tree = [pid];
  for (const parent of tree) tree.push(...rows.filter((row) => row.parentPid === parent).map((row) => row.pid));
  return tree;
}

/**
 * Ends a process and everything it started as a power cut would: SIGKILL to each, nobody gets to clean up. Resolves
 * when all are gone.
 */
export async function crash(pid: number): Promise<void> {
  const tree = processTree(pid);
  for (const member of tree) {
    try {
      process.kill(member, 'SIGKILL');
    } catch {
      // already gone
    }
  }
  await waitFor(() => tree.every((member) => !processExists(member)), {
    what: `the end of process ${pid} and its children`,
  });
}
