import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot (proc(5), stat field 22); null where there is no /proc. */
  readonly startTicks: number | null;
}

/** State letter and later fields of proc(5) stat: [state, ppid, …]; undefined without /proc or without the process. */
export function readProcStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the second field is the program's name in parentheses and may hold spaces: count from behind it
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function readStartTicks(pid: number): number | null {
  const ticks = readProcStat(pid)?.[19];
  return ticks === undefined ? null : Number(ticks);
}

/** The identity of a living process. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startTicks: readStartTicks(pid) };
}

/** Whether a process with this number lives, whoever it is. One that waits for its parent to notice its end does not. */
export function processExists(pid: number): boolean {
  if (readProcStat(pid)?.[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}

/** Whether exactly this process still lives. Without /proc a reused number is taken for it, which errs on not killing. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  if (!processExists(identity.pid)) return false;
  return identity.startTicks === null || readStartTicks(identity.pid) === identity.startTicks;
}
