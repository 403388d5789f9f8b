import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';
import type { FaultySuite } from './faulty-suite.js';

/** What the scheduler says of its jobs and nodes. */
const ASKED = [
  ['squeue', '--all', '--array'],
  ['sinfo', '--Node', '--long'],
  ['sinfo', '--list-reasons'],
  ['scontrol', 'show', 'job'],
] as const;

/** Keeps the logs of a run with violations, and what its cluster says and has logged. @returns the folder */
export function keepEvidence({ directory, cluster }: FaultySuite, seed: number): string {
  const folder = path.join(workspaceRoot(), '.tally/faults', String(seed));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyLogs(directory, folder);
  if (cluster === undefined) return folder;
  const { slurm } = cluster.cluster.facts;
  copyLogs(path.dirname(slurm.log), path.join(folder, 'slurm'));
  copyLogs(path.join(cluster.home, 'tally'), path.join(folder, 'jobs'));
  const env = { ...process.env, SLURM_CONF: slurm.conf };
  const said = ASKED.map(([program, ...args]) => {
    const { stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8', timeout: 10_000 });
    return `$ ${[program, ...args].join(' ')}\n${stdout}${stderr}`;
  });
  const processes = spawnSync('ps', ['-eo', 'pid,ppid,stat,etimes,wchan:30,args'], { encoding: 'utf8' }).stdout;
  writeFileSync(path.join(folder, 'cluster.txt'), [...said, processes].join('\n'));
  return folder;
}

/** Folders, and texts in them: not the file systems of runners, nor outputs. */
function copyLogs(from: string, to: string): void {
  if (!existsSync(from)) return; // no job has come to the cluster
  cpSync(from, to, {
    recursive: true,
    filter: (file) =>
      lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true
        ? !file.endsWith('-work')
        : /(\.(log|json|txt)|\/log[-\d]*)$/.test(file),
  });
}
