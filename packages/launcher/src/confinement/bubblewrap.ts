import { lstatSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { ProcessEnd } from '@tally/simulators';
import type { ProcessRequest } from '../process/process-host.js';
import type { Confinement, KernelLimits } from './confinement.js';

/*
 * bwrap(1): an unprivileged program that makes user, mount, PID, IPC, UTS and network namespaces and starts a command in
 * them. What is not named here is not there: the root is empty and read-only.
 */

/** What programs need of a system. A link (`/bin` of merged systems) stays one. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Nothing about this machine's users and network; the names of users are those of every Debian. */
const SYSTEM_FILES: readonly (readonly [from: string, to: string])[] = [
  ['/etc/ld.so.cache', '/etc/ld.so.cache'],
  ['/etc/alternatives', '/etc/alternatives'],
  ['/etc/localtime', '/etc/localtime'],
  ['/usr/share/base-passwd/passwd.master', '/etc/passwd'],
  ['/usr/share/base-passwd/group.master', '/etc/group'],
];
/** `nobody` of those. */
const CONFINED_ID = '65534';
/** Of util-linux, which every Debian has. */
export const PRLIMIT = '/usr/bin/prlimit';
const HOST_NAME = 'simulator';
const SHELL = '/bin/sh';
/** bwrap ends with 128 + n when its command was ended by signal n, as shells do. */
const SIGNAL_BASE = 128;

export interface BubblewrapOptions {
  /** Absolute path of bwrap. */
  readonly executable: string;
  /** Size of /tmp and of /dev/shm, each; both are memory. */
  readonly temporaryBytesMax: number;
  /** No namespaces of users inside: of bwrap 0.8 and later. */
  readonly canDisableNamespaces: boolean;
  /** There is prlimit(1). */
  readonly canLimit: boolean;
  /** The kernel counts processes by namespace of users (Linux 5.14 and later): they can be limited in it. */
  readonly canLimitProcesses: boolean;
  /** Folders that stay hidden, though a path that a command reads may lie above them. */
  readonly hiddenFolders: readonly string[];
}

/** Confines by bubblewrap. Nothing is started here. */
export function createBubblewrap(options: BubblewrapOptions): Confinement {
  const { executable, hiddenFolders } = options;
  const before = [...namespaceArguments(options), ...systemArguments()];
  return {
    program: path.basename(executable),
    readEnd,
    wrap(request: ProcessRequest, readOnlyPaths, limits = {}) {
      const { folder } = request;
      const shown = readOnlyPaths.filter((place) => !isBelow(place, SYSTEM_FOLDERS));
      const hidden = hiddenFolders.filter((place) => isBelow(place, [...SYSTEM_FOLDERS, ...shown]));
      const args = [
        before,
        ...shown.filter((place) => !isWithin(place, hidden)).map(showing),
        ...hidden.map((place) => ['--tmpfs', place]),
        ...shown.filter((place) => isWithin(place, hidden)).map(showing),
        ['--bind', folder, folder, '--chdir', folder],
        ...['/', ...hidden].map((place) => ['--remount-ro', place]),
        ['--', ...limitArguments(options, limits), ...sessionArguments(limits), request.executable, ...request.args],
      ].flat();
      return { ...request, executable, args };
    },
  };
}

const showing = (place: string) => ['--ro-bind-try', place, place];

function namespaceArguments({ temporaryBytesMax, canDisableNamespaces }: BubblewrapOptions): string[] {
  const size = ['--size', String(temporaryBytesMax)];
  return [
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    canDisableNamespaces ? ['--disable-userns'] : [],
    ['--uid', CONFINED_ID, '--gid', CONFINED_ID, '--hostname', HOST_NAME, '--cap-drop', 'ALL'],
    ['--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev'],
    [...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev', ...size, '--tmpfs', '/tmp'],
  ].flat();
}

/** getrlimit(2): root of the machine is exempt from that of processes. */
function limitArguments(
  { canLimit, canLimitProcesses }: BubblewrapOptions,
  { processCountMax, fileBytesMax }: KernelLimits,
): string[] {
  if (!canLimit) return [];
  const limit = (name: string, value?: number) => (value === undefined ? [] : [`--${name}=${value}:${value}`]);
  const processes = limit('nproc', canLimitProcesses ? processCountMax : undefined);
  return [PRLIMIT, '--core=0:0', ...limit('fsize', fileBytesMax), ...processes, '--'];
}

const RENICE_SESSION = `
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  [ -e /proc/self/autogroup ] || break
  { echo "$0" > /proc/self/autogroup; } 2> /dev/null && break
  sleep 0.1
done
exec "$@"`;

/**
 * Desktops and many servers share processors out by session first (sched(7), autogroup), and a niceness counts within its session only:
 * the session, which bwrap makes, gets it, too. The file is missing elsewhere. Linux takes one such change in 0.1 s from all processes
 * without privileges, so others that start at the same time try again.
 */
function sessionArguments({ niceness }: KernelLimits): string[] {
  return niceness === undefined ? [] : [SHELL, '-c', RENICE_SESSION, String(niceness)];
}

function systemArguments(): string[] {
  const folders = SYSTEM_FOLDERS.flatMap((folder) => {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    return stat.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
  });
  return [...folders, ...SYSTEM_FILES.flatMap(([from, to]) => ['--ro-bind-try', from, to])];
}

function isBelow(place: string, folders: readonly string[]): boolean {
  return folders.includes(place) || isWithin(place, folders);
}

function isWithin(place: string, folders: readonly string[]): boolean {
  return folders.some((folder) => place.startsWith(`${folder}/`));
}

function readEnd(end: ProcessEnd): ProcessEnd {
  if (end.kind !== 'exited') return end;
  const number = end.exitCode - SIGNAL_BASE;
  const signal = Object.entries(constants.signals).find(([, known]) => known === number)?.[0];
  return signal === undefined ? end : { kind: 'signalled', signal };
}
