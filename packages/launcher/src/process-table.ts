import { existsSync, readdirSync, readFileSync } from 'node:fs';

/*
 * What Linux says of processes, proc(5). Where there is no /proc (macOS) a group is known by its leader's number only:
 * memory is not limited, and processes that left their group or survived their runner are not found.
 */
const HAS_PROC = existsSync('/proc/self/stat');

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly startTicks: number;
  /** Which boot the ticks belong to. */
  readonly bootId: string;
}

interface ProcessEntry {
  readonly pid: number;
  readonly groupId: number;
  readonly startTicks: number;
}

/** Name of the variable that marks every process of an attempt, also one that has left its group. */
export const ATTEMPT_VARIABLE = 'TALLY_ATTEMPT_ID';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it has ended, or is another user's
  }
}

/** A living process; one that only waits for its parent to notice its end does not live. */
function readEntry(pid: number): ProcessEntry | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // the second field is the program's name in parentheses and may hold blanks: count from behind it
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { pid, groupId: Number(fields[2]), startTicks: Number(fields[19]) };
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

/** Living members of a process group. */
export function groupMembers(groupId: number): number[] {
  if (!HAS_PROC) return groupExists(groupId) ? [groupId] : [];
  return listPids().filter((pid) => readEntry(pid)?.groupId === groupId);
}

function groupExists(groupId: number): boolean {
  try {
    return process.kill(-groupId, 0);
  } catch {
    return false;
  }
}

/** Living processes with this attempt in their environment that are not in that group. */
export function strayProcesses(attemptId: string, groupId: number | undefined): number[] {
  const mark = `${ATTEMPT_VARIABLE}=${attemptId}`;
  return listPids().filter((pid) => {
    if (readText(`/proc/${pid}/environ`)?.split('\0').includes(mark) !== true) return false;
    const entry = readEntry(pid);
    return entry !== undefined && entry.groupId !== groupId;
  });
}

/** The identity of a living process; `undefined` when it has ended or where there is no /proc. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const entry = readEntry(pid);
  return entry && { pid, startTicks: entry.startTicks, bootId: bootId() };
}

/** Whether exactly this process still lives. */
export function isAlive({ pid, startTicks, bootId: boot }: ProcessIdentity): boolean {
  return boot === bootId() && readEntry(pid)?.startTicks === startTicks;
}

/** Resident memory of processes together, bytes; pages that they share count for each. */
export function residentBytes(pids: readonly number[]): number {
  let kib = 0;
  for (const pid of pids) kib += Number(/^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1] ?? 0);
  return kib * 1024;
}
