import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LimitName, ProcessLimits } from '../process/limit-watch.js';
import type { ProcessRequest } from '../process/process-host.js';

/*
 * Control groups (cgroups(7)): the kernel itself limits memory and processes. Version 2 where this process's group is
 * delegated to it (systemd's Delegate=), version 1 where it may write into the hierarchies, which only root may. Else
 * there is none, and limits are watched from outside (process/limit-watch.ts).
 */

/** The group of one command. */
export interface CommandGroup {
  /** The command that enters the group and then is `request`. */
  wrap(request: ProcessRequest): ProcessRequest;
  /** Which limit the kernel has had to enforce. */
  readBroken(): LimitName | undefined;
  /** To be called when no process of it is left. */
  remove(): void;
}

export interface Cgroups {
  readonly version: 1 | 2;
  create(name: string, limits: ProcessLimits): CommandGroup;
  /** Removes what was made when this was opened. */
  close(): void;
}

/** Where groups can be made: a folder of the hierarchy of memory, and one of that of processes; in version 2 the same. */
interface Places {
  readonly version: 1 | 2;
  readonly memory: string;
  readonly pids: string;
  readonly close: () => void;
}

const MOUNT = '/sys/fs/cgroup';
const CONTROLLERS = '+memory +pids';
/** Enters groups by their files $1, then becomes the rest: a group that is entered later misses what was started before. */
const ENTER = 'for group in $1; do echo 0 > "$group" || exit 125; done; shift; exec "$@"';
/**
 * The file by which a shell enters a group. A process that moves through `cgroup.procs` waits until the kernel has excluded all
 * forks and exits; a thread that moves itself does not (Linux 5.5 and later, `cgroup_procs_write_start` of
 * kernel/cgroup/cgroup.c), and a shell has one thread. In version 2 only threaded groups take single threads.
 */
const ENTRANCES = { 1: 'tasks', 2: 'cgroup.procs' } as const;
const SHELL = '/bin/sh';

/**
 * Control groups below this process's own. `undefined`: it may not make any.
 * @param mount - where the hierarchies are; another place in tests
 */
export function openCgroups(mount = MOUNT, ownGroups = readText('/proc/self/cgroup') ?? ''): Cgroups | undefined {
  const places = openVersion2(mount, ownGroups) ?? openVersion1(mount, ownGroups);
  if (places === undefined) return undefined;
  const { version, memory, pids, close } = places;
  return {
    version,
    create(name, limits) {
      const folders = [...new Set([memory, pids])].map((parent) => path.join(parent, name));
      for (const folder of folders) mkdirSync(folder);
      const group = { memory: path.join(memory, name), pids: path.join(pids, name) };
      const entrances = folders.map((folder) => path.join(folder, ENTRANCES[version])).join(' ');
      setLimits(version, group, limits);
      return {
        wrap: (request) => ({
          ...request,
          executable: SHELL,
          args: ['-c', ENTER, SHELL, entrances, request.executable, ...request.args],
        }),
        readBroken: () => readBroken(version, group),
        remove() {
          for (const folder of folders) rmdirSync(folder);
        },
      };
    },
    close,
  };
}

type Group = Pick<Places, 'memory' | 'pids'>;

function setLimits(version: 1 | 2, { memory, pids }: Group, limits: ProcessLimits): void {
  const bytes = String(limits.memoryBytesMax);
  writeFileSync(path.join(pids, 'pids.max'), String(limits.processCountMax));
  if (version === 1) {
    writeFileSync(path.join(memory, 'memory.limit_in_bytes'), bytes);
    tryTo(() => writeFileSync(path.join(memory, 'memory.memsw.limit_in_bytes'), bytes)); // where swap is counted
    return;
  }
  writeFileSync(path.join(memory, 'memory.max'), bytes);
  tryTo(() => writeFileSync(path.join(memory, 'memory.swap.max'), '0'));
}

function readBroken(version: 1 | 2, { memory, pids }: Group): LimitName | undefined {
  const killed = readText(path.join(memory, version === 1 ? 'memory.oom_control' : 'memory.events'));
  if (/^oom_kill [1-9]/m.test(killed ?? '')) return 'memory-limit';
  return /^max [1-9]/m.test(readText(path.join(pids, 'pids.events')) ?? '') ? 'process-limit' : undefined;
}

/** The group must hold no process to give its controllers to others: this process moves into one of its own. */
function openVersion2(mount: string, ownGroups: string): Places | undefined {
  const [, own] = /^0::(\/.*)$/m.exec(ownGroups) ?? [];
  if (own === undefined) return undefined;
  const parent = path.join(mount, own);
  const offered = readText(path.join(parent, 'cgroup.controllers'))?.trim().split(' ') ?? [];
  if (!offered.includes('memory') || !offered.includes('pids')) return undefined;
  const self = path.join(parent, `tally-${process.pid}`);
  const leave = () => {
    tryTo(() => writeFileSync(path.join(parent, 'cgroup.subtree_control'), CONTROLLERS.replaceAll('+', '-')));
    tryTo(() => writeFileSync(path.join(parent, 'cgroup.procs'), String(process.pid)));
    tryTo(() => rmdirSync(self));
  };
  const isOpen = tryTo(() => {
    mkdirSync(self);
    writeFileSync(path.join(self, 'cgroup.procs'), String(process.pid));
    writeFileSync(path.join(parent, 'cgroup.subtree_control'), CONTROLLERS);
  });
  if (isOpen) return { version: 2, memory: parent, pids: parent, close: leave };
  leave();
  return undefined;
}

function openVersion1(mount: string, ownGroups: string): Places | undefined {
  const ownOf = (controller: string) => {
    const [, own] = new RegExp(`^\\d+:(?:[^:\\n]*,)?${controller}(?:,[^:\\n]*)?:(/.*)$`, 'm').exec(ownGroups) ?? [];
    return own === undefined ? undefined : path.join(mount, controller, own, `tally-${process.pid}`);
  };
  const [memory, pids] = [ownOf('memory'), ownOf('pids')];
  if (memory === undefined || pids === undefined) return undefined;
  const close = () => {
    for (const folder of [memory, pids]) tryTo(() => rmdirSync(folder));
  };
  const isOpen = tryTo(() => {
    for (const folder of [memory, pids]) mkdirSync(folder);
    readFileSync(path.join(memory, 'memory.limit_in_bytes'));
    readFileSync(path.join(memory, 'memory.oom_control'));
  });
  if (isOpen) return { version: 1, memory, pids, close };
  close();
  return undefined;
}

/** False: it failed. */
function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
