import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { ProcessEnd } from '@tally/simulators';
import koffi from 'koffi';
import type { ProcessHost, ProcessRequest } from './process-host.js';
import { listProcesses } from './process-table.js';

/*
 * Node starts a process by fork(2), which copies the page tables of the whole heap, and every page that is then written
 * to. posix_spawn(3) lends the memory to the child until it executes its program, so that its price does not grow with the
 * heap. Node has no such call: the C library's is used.
 */

// <fcntl.h>, <sys/wait.h>, <spawn.h>, <sys/prctl.h> of Linux; glibc and musl agree
const O_CLOEXEC = 0o2000000;
const WNOHANG = 1;
const SETSIGDEF = 0x04;
const SETSIGMASK = 0x08;
const SETSID = 0x80;
const PR_SET_CHILD_SUBREAPER = 36;
const CLOSE_RANGE_CLOEXEC = 4;
const FIRST_OTHER_FD = 3;
const FD_MAX = 0x7fff_ffff;
/** More than `posix_spawnattr_t` (336), `posix_spawn_file_actions_t` (80) and `sigset_t` (128) have anywhere. */
const STRUCT_BYTES = 512;
const SHELL = '/bin/sh';
/** Ended orphans that are remembered until somebody asks what they have used. */
const ORPHANS_MAX = 1_000;
const IS_64_BIT = ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch);

/** The C library, as it is used here. Numbers that are returned are error numbers where nothing else is said. */
function loadCalls() {
  const libc = koffi.load(null);
  return {
    pipe2: libc.func('int pipe2(int *fds, int flags)') as (fds: Int32Array, flags: number) => number, // -1: it failed
    close: libc.func('int close(int fd)') as (fd: number) => number,
    wait4: libc.func('int wait4(int pid, int *status, int flags, void *usage)') as (
      pid: number,
      status: Int32Array,
      flags: number,
      usage: Buffer,
    ) => number, // the process; 0: it lives; -1: it is no child
    closeRange: optional(() => libc.func('int close_range(uint first, uint last, int flags)')) as
      | ((first: number, last: number, flags: number) => number)
      | undefined, // glibc 2.34
    prctl: libc.func('int prctl(int option, long a, long b, long c, long d)') as (
      ...args: [number, number, number, number, number]
    ) => number,
    sigemptyset: libc.func('int sigemptyset(void *set)') as (set: Buffer) => number,
    sigfillset: libc.func('int sigfillset(void *set)') as (set: Buffer) => number,
    attrInit: libc.func('int posix_spawnattr_init(void *attr)') as (attr: Buffer) => number,
    attrSetFlags: libc.func('int posix_spawnattr_setflags(void *attr, short flags)') as (
      attr: Buffer,
      flags: number,
    ) => number,
    attrSetDefaults: libc.func('int posix_spawnattr_setsigdefault(void *attr, void *set)') as (
      attr: Buffer,
      set: Buffer,
    ) => number,
    attrSetMask: libc.func('int posix_spawnattr_setsigmask(void *attr, void *set)') as (
      attr: Buffer,
      set: Buffer,
    ) => number,
    actionsInit: libc.func('int posix_spawn_file_actions_init(void *actions)') as (actions: Buffer) => number,
    actionsDestroy: libc.func('int posix_spawn_file_actions_destroy(void *actions)') as (actions: Buffer) => number,
    actionsDup: libc.func('int posix_spawn_file_actions_adddup2(void *actions, int from, int to)') as (
      actions: Buffer,
      from: number,
      to: number,
    ) => number,
    actionsChdir: libc.func('int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)') as (
      actions: Buffer,
      path: string,
    ) => number,
    spawn: libc.func(
      'int posix_spawn(int *pid, const char *path, void *actions, void *attr, const char **argv, const char **envp)',
    ) as (
      pid: Int32Array,
      path: string,
      actions: Buffer,
      attr: Buffer,
      argv: readonly (string | null)[],
      envp: readonly (string | null)[],
    ) => number,
  };
}
type Calls = ReturnType<typeof loadCalls>;

function optional<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** Both ends of a pipe; neither is inherited by what is started. */
interface Pipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/** A {@link ProcessHost} that has changed how this process is treated. */
export interface PosixHost extends ProcessHost {
  /** Orphans are not adopted any more, and the end of a process is not noticed. */
  close(): void;
}

/**
 * Starts processes by posix_spawn and adopts what they leave behind: an orphan becomes a child of this process
 * (PR_SET_CHILD_SUBREAPER of prctl(2)), where it is found at once. All children of this process must be started through
 * this host, because it also waits for those that it does not know. `undefined`: this system has no such calls.
 */
export function openPosixHost(): PosixHost | undefined {
  const calls = optional(loadCalls);
  if (calls === undefined) return undefined;
  const setReaper = (isReaper: boolean) => calls.prctl(PR_SET_CHILD_SUBREAPER, isReaper ? 1 : 0, 0, 0, 0) === 0;
  if (!setReaper(true)) return undefined;
  calls.closeRange?.(FIRST_OTHER_FD, FD_MAX, CLOSE_RANGE_CLOEXEC); // Node's own are; those that it was given may not be
  const children = watchChildren(calls);
  const attributes = spawnAttributes(calls);
  return {
    start(request) {
      const [stdin, stdout, stderr] = openPipes(calls);
      const started = spawn(calls, attributes, request, [stdin.readEnd, stdout.writeEnd, stderr.writeEnd]);
      for (const fd of [stdin.readEnd, stdout.writeEnd, stderr.writeEnd]) calls.close(fd);
      if ('errorNumber' in started) {
        for (const fd of [stdin.writeEnd, stdout.readEnd, stderr.readEnd]) calls.close(fd);
        const message = nameOf(constants.errno, started.errorNumber) ?? `error ${started.errorNumber}`;
        return { pid: undefined, exited: Promise.resolve({ kind: 'unstartable', message }) };
      }
      const { pid } = started;
      const child = children.watch(pid);
      const exited = child.ended.finally(() => calls.close(stdin.writeEnd));
      const { readCpuMs } = child;
      return { pid, stdout: openSocket(stdout.readEnd), stderr: openSocket(stderr.readEnd), exited, readCpuMs };
    },
    listOrphanCandidates: () => children.adopt(),
    takeOrphanCpuMs: (pid) => children.takeOrphanCpuMs(pid),
    isReaper: true,
    close() {
      children.close();
      setReaper(false);
    },
  };
}

/** A session of its own, no signal blocked and none ignored: Node ignores SIGPIPE, and that would be inherited. */
function spawnAttributes(calls: Calls): Buffer {
  const [attributes, all, none] = [Buffer.alloc(STRUCT_BYTES), Buffer.alloc(STRUCT_BYTES), Buffer.alloc(STRUCT_BYTES)];
  calls.sigfillset(all);
  calls.sigemptyset(none);
  calls.attrInit(attributes);
  calls.attrSetFlags(attributes, SETSID | SETSIGDEF | SETSIGMASK);
  calls.attrSetDefaults(attributes, all);
  calls.attrSetMask(attributes, none);
  return attributes;
}

function spawn(
  calls: Calls,
  attributes: Buffer,
  { executable, args, env, folder }: ProcessRequest,
  standardFds: readonly number[],
): { readonly pid: number } | { readonly errorNumber: number } {
  const actions = Buffer.alloc(STRUCT_BYTES);
  const pid = new Int32Array(1);
  const environment = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), null];
  const start = (program: string, argv: readonly string[]) =>
    calls.spawn(pid, program, actions, attributes, [...argv, null], environment);
  calls.actionsInit(actions);
  try {
    for (const [standard, fd] of standardFds.entries()) calls.actionsDup(actions, fd, standard);
    calls.actionsChdir(actions, folder);
    let errorNumber = start(executable, [executable, ...args]);
    // a script that does not say what runs it, as execvp(3) does it
    if (errorNumber === constants.errno.ENOEXEC) errorNumber = start(SHELL, [SHELL, executable, ...args]);
    return errorNumber === 0 ? { pid: pid[0] ?? 0 } : { errorNumber };
  } finally {
    calls.actionsDestroy(actions);
  }
}

/** Three pipes or none. */
function openPipes(calls: Calls): readonly [Pipe, Pipe, Pipe] {
  const [one, two, three] = [new Int32Array([-1, -1]), new Int32Array([-1, -1]), new Int32Array([-1, -1])];
  const failed = [one, two, three].find((fds) => calls.pipe2(fds, O_CLOEXEC) !== 0);
  if (failed === undefined) return [pipeOf(one), pipeOf(two), pipeOf(three)];
  for (const fd of [...one, ...two].filter((opened) => opened >= 0)) calls.close(fd);
  throw new Error('no pipe could be made; are too many files open?');
}

function pipeOf([readEnd = -1, writeEnd = -1]: Int32Array): Pipe {
  return { readEnd, writeEnd };
}

function openSocket(fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false });
}

/** The living children; SIGCHLD reports their ends. */
function watchChildren(calls: Calls) {
  const known = new Map<number, (end: ProcessEnd, cpuMs: number | undefined) => void>();
  const status = new Int32Array(1);
  const usage = Buffer.alloc(STRUCT_BYTES);
  const orphans = new Map<number, number>();
  /** Whether an adopted child lives. */
  const isAlive = (pid: number) => {
    const waited = calls.wait4(pid, status, WNOHANG, usage);
    if (waited !== pid) return waited === 0;
    orphans.set(pid, cpuMsOf(usage) ?? 0);
    const [oldest] = orphans.keys();
    if (orphans.size > ORPHANS_MAX && oldest !== undefined) orphans.delete(oldest);
    return false;
  };
  const collect = () => {
    for (const [pid, resolve] of known) {
      const waited = calls.wait4(pid, status, WNOHANG, usage);
      if (waited === 0) continue;
      known.delete(pid);
      // -1: other code of this process has waited for the child
      if (waited === pid) resolve(processEnd(status[0] ?? 0), cpuMsOf(usage));
      else resolve({ kind: 'exited', exitCode: -1 }, undefined);
    }
  };
  process.on('SIGCHLD', collect);
  return {
    watch(pid: number): { readonly ended: Promise<ProcessEnd>; readonly readCpuMs: () => number | undefined } {
      let used: number | undefined;
      const ended = new Promise<ProcessEnd>((resolve) => {
        known.set(pid, (end, cpuMs) => {
          used = cpuMs;
          resolve(end);
        });
      });
      return { ended, readCpuMs: () => used };
    },
    /** The living children that were not started here, after those that have ended are waited for. */
    adopt(): number[] {
      const adopted = readChildren()?.filter((pid) => !known.has(pid));
      return adopted?.filter(isAlive) ?? listProcesses();
    },
    takeOrphanCpuMs(pid: number): number | undefined {
      const used = orphans.get(pid);
      orphans.delete(pid);
      return used;
    },
    close: () => void process.off('SIGCHLD', collect),
  };
}

/** Children of this process's first thread, which starts and adopts all of them; undefined: the kernel does not say. */
function readChildren(): number[] | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return undefined; // without CONFIG_PROC_CHILDREN
  }
}

/** User and system time of `struct rusage` (getrusage(2)), which begins with two `struct timeval` of two 64-bit numbers, milliseconds. */
function cpuMsOf(usage: Buffer): number | undefined {
  if (!IS_64_BIT) return undefined;
  const [seconds, micros] = [0, 16].reduce(
    ([s, us], at) => [s + Number(usage.readBigInt64LE(at)), us + Number(usage.readBigInt64LE(at + 8))],
    [0, 0],
  );
  return 1000 * seconds + micros / 1000;
}

/** Reads a status of wait4(2). */
function processEnd(status: number): ProcessEnd {
  const signal = status & 0x7f;
  if (signal === 0) return { kind: 'exited', exitCode: (status >> 8) & 0xff };
  return { kind: 'signalled', signal: nameOf(constants.signals, signal) ?? `signal ${signal}` };
}

function nameOf(numbers: object, wanted: number): string | undefined {
  return Object.entries(numbers).find(([, number]) => number === wanted)?.[0];
}
