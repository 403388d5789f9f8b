import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import process from 'node:process';

/**
 * Gives a process and what is started in its session its share of the processors: the more, the smaller the niceness; below 0 it needs
 * root. Where the kernel shares them out by session (sched(7), autogroup), the niceness of the session counts, else that of the process.
 * Linux alone knows how; elsewhere nothing is done.
 */
export function shareProcessors(pid: number, niceness: number): void {
  if (process.platform !== 'linux') return;
  const session = `/proc/${pid}/autogroup`;
  if (existsSync(session)) writeFileSync(session, String(niceness));
  else setPriority(pid, niceness);
}
