// Processor time and memory of process trees, from /proc (proc(5)).
import fs from 'node:fs';

/** Clock ticks of /proc a second: USER_HZ, 100 on every architecture of Linux that Node runs on. */
const TICKS_PER_S = 100;
const KIB_PER_MIB = 1024;

/** `/proc/<pid>/stat` without pid and name: state ppid … utime stime cutime cstime; undefined: it is gone. */
function readStat(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [own, children] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])];
    return { pid: Number(pid), parent: Number(fields[1]), ticks: own + children };
  } catch {
    return undefined;
  }
}

const LOOKS_MAX = 20;

/** One look, as far as there is one during which no process ends: what it took could be neither its own nor yet its parent's. */
function readAll() {
  for (let looks = 1; ; looks++) {
    const names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const stats = names.map(readStat);
    if (looks === LOOKS_MAX || stats.every((stat) => stat !== undefined))
      return stats.filter((stat) => stat !== undefined);
  }
}

/** The processes of a tree by its root. */
function treeOf(root, all = readAll()) {
  const members = all.filter(({ pid }) => pid === root);
  for (const member of members) members.push(...all.filter(({ parent }) => parent === member.pid));
  return members;
}

/** Seconds of all processors since boot: `busy`, and `stolen` by the hypervisor. */
function readMachine() {
  const line = fs.readFileSync('/proc/stat', 'latin1').split('\n', 1)[0];
  const [user, nice, system, , , irq, softIrq, steal] = line.trim().split(/\s+/).slice(1).map(Number);
  return { busy: (user + nice + system + irq + softIrq) / TICKS_PER_S, stolen: steal / TICKS_PER_S };
}

/**
 * Named process trees.
 * @param findRoots - root processes by name, asked at every look, because processes come and go
 * @param findOthers - root processes that are known but not of this group: what they take is nobody else's, either
 */
export class ProcessGroup {
  constructor(findRoots, findOthers = () => ({})) {
    Object.assign(this, { findRoots, findOthers });
  }

  /** A moment; {@link since} tells what happened after it. */
  now() {
    const all = readAll();
    const secondsOf = (root) => treeOf(root, all).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_S;
    const roots = this.findRoots();
    const seconds = Object.fromEntries(Object.entries(roots).map(([name, root]) => [name, secondsOf(root)]));
    const others = Object.values(this.findOthers()).filter((root) => !Object.values(roots).includes(root));
    const known = others.reduce((sum, root) => sum + secondsOf(root), 0);
    return { at: performance.now(), machine: readMachine(), seconds, known, own: process.cpuUsage() };
  }

  /**
   * Processor seconds since a moment: by name, of all, and cores that others took: other processes (`foreign`) and the
   * hypervisor (`stolen`). `generator`: cores of this process.
   */
  since(before) {
    const now = this.now();
    const wall = (now.at - before.at) / 1000;
    const byName = {};
    for (const [name, seconds] of Object.entries(now.seconds)) byName[name] = seconds - (before.seconds[name] ?? 0);
    const total = Object.values(byName).reduce((sum, seconds) => sum + seconds, 0);
    const own = (now.own.user + now.own.system - before.own.user - before.own.system) / 1e6;
    const busy = now.machine.busy - before.machine.busy;
    return {
      wall,
      byName,
      total,
      foreignCores: Math.max(0, busy - total - own - (now.known - before.known)) / wall,
      stolenCores: (now.machine.stolen - before.machine.stolen) / wall,
      generatorCores: own / wall,
    };
  }

  /** MiB by name; `pss` shares out what processes have in common, `peak` is the largest resident size of one process. */
  memory() {
    const all = readAll();
    const of = ([name, root]) => {
      const sizes = treeOf(root, all).map(({ pid }) => readMemory(pid));
      const pss = sizes.reduce((sum, size) => sum + size.pss, 0);
      return [
        name,
        { pss: Math.round(pss * 10) / 10, peak: Math.round(Math.max(0, ...sizes.map(({ peak }) => peak))) },
      ];
    };
    return Object.fromEntries(Object.entries(this.findRoots()).map(of));
  }

  /** Forgets the peaks so far, where this user may (clear_refs 5). */
  resetPeaks() {
    const all = readAll();
    for (const root of Object.values(this.findRoots())) {
      for (const { pid } of treeOf(root, all)) {
        try {
          fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');
        } catch {
          // gone, or another user's
        }
      }
    }
  }
}

function readMemory(pid) {
  const kib = (file, key) => {
    try {
      const text = fs.readFileSync(`/proc/${pid}/${file}`, 'latin1');
      return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
    } catch {
      return 0; // gone, or another user's
    }
  };
  return { pss: kib('smaps_rollup', 'Pss') / KIB_PER_MIB, peak: kib('status', 'VmHWM') / KIB_PER_MIB };
}
