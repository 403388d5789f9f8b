import { readFileSync } from 'node:fs';
import koffi from 'koffi';

/*
 * Calls of the C library that Node does not have. Numbers are those of <linux/prctl.h> and <sys/ipc.h>.
 */

const PR_GET_DUMPABLE = 3;
const PR_SET_DUMPABLE = 4;
const PR_SET_NO_NEW_PRIVS = 38;
const IPC_RMID = 0;

const libc = koffi.load(null);
const mkfifo = libc.func('int mkfifo(const char *path, uint mode)') as (path: string, mode: number) => number;
const prctl = libc.func('int prctl(int option, long a, long b, long c, long d)') as (
  ...args: [number, number, number, number, number]
) => number;
const shmctl = libc.func('int shmctl(int id, int command, void *buffer)') as (
  ...args: [number, number, null]
) => number;
const msgctl = libc.func('int msgctl(int id, int command, void *buffer)') as (
  ...args: [number, number, null]
) => number;
const semctl = libc.func('int semctl(int id, int index, int command)') as (...args: [number, number, number]) => number;

/** Makes a named pipe; there must be nothing of that name. */
export function makeFifo(file: string, mode: number): void {
  if (mkfifo(file, mode) !== 0) throw new Error(`no named pipe can be made at ${file}`);
}

/**
 * Closes this process to others of the same user: neither its memory nor its files under /proc/<pid> can be opened, and it
 * cannot be traced (PR_SET_DUMPABLE of prctl(2), ptrace(2)). Nothing that it starts gains privileges by a set-user-ID program.
 */
export function closeToSameUser(): void {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) !== 0) throw new Error('this process can be traced by its own simulators');
}

/** Removes the System V shared memory, semaphores and message queues of this user: they outlive processes. */
export function removeSharedObjects(): void {
  const kinds: [string, (id: number) => number][] = [
    ['shm', (id) => shmctl(id, IPC_RMID, null)],
    ['sem', (id) => semctl(id, 0, IPC_RMID)],
    ['msg', (id) => msgctl(id, IPC_RMID, null)],
  ];
  for (const [kind, remove] of kinds) for (const id of listObjects(kind)) remove(id); // another user's stay
}

/** Numbers of the objects that /proc/sysvipc lists, proc(5): the second column. */
function listObjects(kind: string): number[] {
  try {
    const [, ...lines] = readFileSync(`/proc/sysvipc/${kind}`, 'utf8').trim().split('\n');
    return lines.map((line) => Number(line.trim().split(/\s+/)[1]));
  } catch {
    return []; // a kernel without them
  }
}
