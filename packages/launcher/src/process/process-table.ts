import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { errorCode } from '../error-code.js';

/*
 * What Linux says of processes, proc(5). Where there is no /proc (macOS) a group is known by its leader's number only:
 * memory is not limited, and processes that left their group or survived their runner are not found.
 */
const HAS_PROC = existsSync('/proc/self/stat');
/** Entries of /proc that are read before other work of this process has its turn. */
const ENTRIES_PER_TURN = 64;

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly startTicks: number;
  /** Which boot the ticks belong to. */
  readonly bootId: string;
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly startTicks: number;
  /** The first 15 characters of its program's name. */
  readonly name: string;
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
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // the second field is the program's name in parentheses and may hold blanks: count from behind it
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return {
    pid,
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    startTicks: Number(fields[19]),
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
  };
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
  return filterProcesses(listProcesses(), (pid) => readProcess(pid)?.groupId === groupId);
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
  return filterProcesses(candidates, (pid) => {
    if (!hasMark(pid, attemptId)) return false;
    const entry = readProcess(pid);
    return entry !== undefined && entry.groupId !== groupId;
  });
}

/** Whether a process has this attempt in its environment. */
export function hasMark(pid: number, attemptId: string): boolean {
  return readText(`/proc/${pid}/environ`)?.split('\0').includes(`${ATTEMPT_VARIABLE}=${attemptId}`) === true;
}

/** Whether it is the first process of a PID namespace below this one. */
export function isFirstOfNamespace(pid: number): boolean {
  const [, numbers = ''] = /^NSpid:\s+(.*)$/m.exec(readText(`/proc/${pid}/status`) ?? '') ?? [];
  return /\s1$/.test(numbers);
}

/** The identity of a living process; `undefined` when it has ended or where there is no /proc. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const entry = readProcess(pid);
  return entry && { pid, startTicks: entry.startTicks, bootId: bootId() };
}

/** Whether exactly this process still lives. */
export function isAlive({ pid, startTicks, bootId: boot }: ProcessIdentity): boolean {
  return boot === bootId() && readProcess(pid)?.startTicks === startTicks;
}

/** Every living process that can be seen, by number. */
export async function readProcesses(): Promise<ReadonlyMap<number, ProcessEntry>> {
  const found = new Map<number, ProcessEntry>();
  await filterProcesses(listProcesses(), (pid) => {
    const entry = readProcess(pid);
    if (entry !== undefined) found.set(pid, entry);
    return false;
  });
  return found;
}

/** These processes, as far as they live, and all that they and their children have started. */
export function withDescendants(processes: ReadonlyMap<number, ProcessEntry>, roots: Iterable<number>): number[] {
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of processes.values()) {
    const siblings = children.get(parentPid);
    if (siblings === undefined) children.set(parentPid, [pid]);
    else siblings.push(pid);
  }
  const found = new Set([...roots].filter((pid) => processes.has(pid)));
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child); // it grows while it is read
  return [...found];
}

/** Clock ticks of proc(5) a second: USER_HZ, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/…/stat behind the program's name. */
function readStat(pid: number | 'self'): readonly string[] | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const ticksToMs = (...ticks: (string | undefined)[]) =>
  (1000 / TICKS_PER_SECOND) * ticks.reduce((sum, text) => sum + Number(text ?? 0), 0);

/** Processor time of the children of this process that it has waited for, and of theirs, milliseconds; undefined: without /proc. */
export function readChildrenCpuMs(): number | undefined {
  const stat = readStat('self');
  return stat && ticksToMs(stat[13], stat[14]);
}

/**
 * Processor time of a process and its living descendants, and of those that they have waited for, milliseconds; 0: it has gone.
 * @param onFound - hears of each of them
 */
export function readTreeCpuMs(pid: number, onFound: (pid: number) => void): number {
  const stat = readStat(pid);
  if (stat === undefined) return 0;
  onFound(pid);
  const children = readText(`/proc/${pid}/task/${pid}/children`)?.split(' ').filter(Boolean).map(Number) ?? [];
  const own = ticksToMs(stat[11], stat[12], stat[13], stat[14]);
  return children.reduce((sum, child) => sum + readTreeCpuMs(child, onFound), own);
}

/** What a process holds: resident memory in bytes (pages that it shares with others count, too) and its threads. */
export function readUsage(pid: number): { readonly residentBytes: number; readonly threads: number } {
  const status = readText(`/proc/${pid}/status`) ?? '';
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  const [, threads = '0'] = /^Threads:\s+(\d+)$/m.exec(status) ?? [];
  return { residentBytes: Number(kib) * 1024, threads: Number(threads) };
}
