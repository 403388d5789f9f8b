import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { errorCode } from '../error-code.js';

/*
 * What Linux says of processes, proc(5). Where there is no /proc (macOS) a group is known by its leader's number only:
 * memory is not limited, and processes that left their group or survived their runner are not found.
 */
const HAS_PROC = existsSync('/proc/self/stat');
/** Entries of /proc that are read before other work of this process has its turn; each takes about 15 µs. */
const ENTRIES_PER_TURN = 64;

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

/** Numbers of all processes of this machine, or container, that can be seen. */
export function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

async function filterProcesses(pids: readonly number[], isWanted: (pid: number) => boolean): Promise<number[]> {
  const found: number[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await othersTurn();
    if (isWanted(pid)) found.push(pid);
  }
  return found;
}

let bootIdText: string | undefined;
function bootId(): string {
  bootIdText ??= readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return bootIdText;
}

/** Living members of a process group. An empty group costs one system call. */
export async function groupMembers(groupId: number): Promise<number[]> {
  if (!groupExists(groupId)) return [];
  if (!HAS_PROC) return [groupId];
  return filterProcesses(listProcesses(), (pid) => readEntry(pid)?.groupId === groupId);
}

function groupExists(groupId: number): boolean {
  try {
    return process.kill(-groupId, 0);
  } catch (err) {
    return errorCode(err) === 'EPERM'; // of another user, by a set-user-ID program
  }
}

/**
 * Living processes with this attempt in their environment that are not in that group.
 * @param candidates - the processes that are searched
 */
export async function strayProcesses(
  attemptId: string,
  groupId: number | undefined,
  candidates: readonly number[] = listProcesses(),
): Promise<number[]> {
  const mark = `${ATTEMPT_VARIABLE}=${attemptId}`;
  return filterProcesses(candidates, (pid) => {
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

/** Resident memory of the members of each group together, bytes; pages that they share count for each. */
export async function groupMemory(groupIds: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const bytes = new Map<number, number>();
  await filterProcesses(listProcesses(), (pid) => {
    const groupId = readEntry(pid)?.groupId;
    if (groupId === undefined || !groupIds.has(groupId)) return false;
    bytes.set(groupId, (bytes.get(groupId) ?? 0) + residentBytes(pid));
    return true;
  });
  return bytes;
}

function residentBytes(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? '') ?? [];
  return Number(kib) * 1024;
}
