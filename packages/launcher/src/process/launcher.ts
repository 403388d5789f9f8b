import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { systemClock } from '@tally/service-kit/clock';
import type { Command, ProcessEnd } from '@tally/simulators';
import type { Cgroups, CommandGroup } from '../cgroup/cgroups.js';
import type { Confinement } from '../confinement/confinement.js';
import { errorCode } from '../error-code.js';
import { followFile } from '../output/follow-file.js';
import { createLineSplitter } from '../output/line-splitter.js';
import { endNamespace, endOrphanedNamespace } from './end-namespace.js';
import { endOthers, listOthers } from './end-others.js';
import { endProcesses } from './end-processes.js';
import { createLimitWatch, type ProcessLimits } from './limit-watch.js';
import { nodeHost, type ProcessHost, type ProcessRequest, type StartedProcess } from './process-host.js';
import { ATTEMPT_VARIABLE, hasMark, identifyProcess, type ProcessIdentity, readTreeCpuMs } from './process-table.js';

export type LineSource = 'stdout' | 'stderr' | 'followed-file';

/** A command to start, its limits and its callbacks. */
export interface LaunchRequest {
  readonly command: Command;
  /** Marks every process of this attempt; unique on the machine. */
  readonly attemptId: string;
  /** Working folder of the process; also its HOME and TMPDIR. */
  readonly folder: string;
  /** What the limit of size is about; the folder unless given. */
  readonly watchedFolder?: string;
  /** Files and folders that it reads beside the system's own; all others are hidden where it is confined. */
  readonly readOnlyPaths?: readonly string[];
  /** Unlimited where absent. */
  readonly limits?: ProcessLimits;
  /** A longer line is broken there. */
  readonly lineBytesMax: number;
  /** A file below the folder that grows, whose lines are read too. */
  readonly followedFile: RegExp | undefined;
  /** Gets every line of standard output, standard error and the followed file. */
  readonly onLine: (line: string, source: LineSource) => void;
  /** Called at once after the start; not where there is no /proc. Must not throw. */
  readonly onStarted?: (identity: ProcessIdentity) => void;
  /** Called when processes do not end. */
  readonly onFault: (err: unknown) => void;
}

/** A started command: the leader of its own session and process group. */
export interface LaunchedCommand {
  /** Resolves at its turn, where commands run one after the other; absent: it begins at once. */
  readonly begun?: Promise<unknown>;
  /** Resolves when the process has ended, its lines are read and nothing that it started lives. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Aborts when a limit is broken; `reason` is a `LimitName`. Nothing is stopped by that. */
  readonly limitBroken: AbortSignal;
  /** SIGTERM to all that it has started, SIGKILL after `graceMs`. */
  stop(graceMs: number): void;
  /**
   * Processor time of all its processes, user and system, milliseconds: so far, and once it has ended in all; undefined: it cannot be
   * told. Never less than before.
   */
  readCpuMs(): number | undefined;
}

/** The one place that turns a command, a folder and limits into running processes and their end. */
export interface Launcher {
  /** Starts a command without a shell. Its environment is what is written here and nothing of this process's. */
  launch(request: LaunchRequest): LaunchedCommand;
}

export interface LauncherOptions {
  /** How processes are started; by Node unless given. */
  readonly host?: ProcessHost;
  /** What keeps commands from the rest of the machine; nothing unless given. */
  readonly confinement?: Confinement;
  /**
   * This process is the first of a PID namespace, and all others in it are the command's, whatever they did to leave:
   * one command at a time.
   */
  readonly ownsNamespace?: boolean;
  /** Where the kernel limits memory and processes; they are watched from outside unless given. */
  readonly cgroups?: Cgroups;
  /** How often memory, folders and followed files are checked, milliseconds. */
  readonly checkIntervalMs: number;
  /** Lets other programs of this machine go first: niceness of what is started; unchanged unless given. */
  readonly niceness?: number;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** How long output is still read when the processes have ended but a pipe is still open. */
const DRAIN_MS = 2_000;
/** The kernel ends these processes before any service when memory runs out (proc(5), oom_score_adj, at most 1000). */
const OOM_SCORE_ADJ = '800';
const GROUP_REMOVALS_MAX = 20;
const GROUP_REMOVAL_PAUSE_MS = 20;
const NEVER = new AbortController().signal;

/** Starts commands as children of this process. */
export function createLauncher(options: LauncherOptions): Launcher {
  const { host = nodeHost, confinement, ownsNamespace, cgroups, checkIntervalMs, niceness } = options;
  const limitWatch = createLimitWatch(checkIntervalMs);
  return {
    launch(request) {
      const { limits, onFault } = request;
      const fault = startFault(request.command.executable);
      if (fault !== undefined) return unstartable(Promise.resolve({ kind: 'unstartable', message: fault }));
      const group = limits && cgroups?.create(request.attemptId, limits);
      const started = host.start(startRequest(request, options, group));
      const { pid, exited } = started;
      if (pid === undefined) {
        group?.remove();
        return unstartable(exited);
      }
      const processes = ownsNamespace ? otherProcesses(host) : processesOf(pid, request, host, confinement);
      const linesRead = readLines(started, request);
      const following = follow(request, checkIntervalMs);
      reportStart(pid, request);
      if (niceness !== undefined) lowerPriority(pid, niceness, confinement === undefined);
      const { groupId, listOrphans } = processes;
      const folder = request.watchedFolder ?? request.folder;
      const readBroken = group && (() => group.readBroken());
      const watched =
        limits &&
        limitWatch.watch({ leader: pid, groupId, listOrphans, folder, limits, ...(readBroken && { readBroken }) });
      let hasEnded = false;
      const readCpuMs = cpuReader(pid, started, host);
      const finish = async (): Promise<ProcessEnd> => {
        const end = await exited;
        hasEnded = true;
        await watched?.end(end.kind !== 'exited' || end.exitCode !== 0);
        await processes.endRest().catch(onFault); // nothing that it started outlives it
        if (host.isReaper) host.listOrphanCandidates(); // waits for what has ended since it was last looked at
        if (group !== undefined) await removeGroup(group).catch(onFault);
        await settled(linesRead, DRAIN_MS); // its pipes end at once, unless an unknown process holds them
        started.stdout.destroy();
        started.stderr.destroy();
        await following?.end();
        return confinement === undefined ? end : confinement.readEnd(end);
      };
      return {
        ended: finish(),
        limitBroken: watched?.broken ?? NEVER,
        stop(graceMs) {
          if (hasEnded) return;
          readCpuMs(); // who is killed is not waited for by its parent, and would not count
          void processes.end(graceMs, () => hasEnded).catch(onFault);
        },
        readCpuMs,
      };
    },
  };
}

/** When its processes are looked for after its start, milliseconds: those that outlive their parent are known by their numbers. */
const LOOKS_MS = [20, 100, 500, 2_000];

/**
 * While it runs by /proc, which is exact to hundredths of a second; afterwards by the kernel's own sum, with what its orphans have used: a
 * confined command is one, since bubblewrap does not wait for it.
 */
function cpuReader(pid: number, { readCpuMs, exited }: StartedProcess, host: ProcessHost): () => number | undefined {
  const known = new Set<number>();
  let seen: number | undefined;
  let ofOrphans = 0;
  const look = () => {
    const now = readTreeCpuMs(pid, (found) => known.add(found));
    if (now > 0) seen = Math.max(seen ?? 0, now);
  };
  const timers = LOOKS_MS.map((afterMs) => setTimeout(look, afterMs).unref());
  void exited.then(() => timers.map(clearTimeout));
  return () => {
    const leader = readCpuMs();
    if (leader === undefined) look();
    else {
      for (const one of known) ofOrphans += host.takeOrphanCpuMs?.(one) ?? 0;
      seen = Math.max(seen ?? 0, leader + ofOrphans);
    }
    return seen;
  };
}

function unstartable(ended: Promise<ProcessEnd>): LaunchedCommand {
  return { ended, limitBroken: NEVER, stop: () => {}, readCpuMs: () => undefined };
}

/** Why a program cannot be started, as the kernel would say it: what wraps it would say it in its own way. */
export function startFault(executable: string): string | undefined {
  try {
    accessSync(executable, constants.X_OK);
    return statSync(executable).isFile() ? undefined : 'EACCES';
  } catch (err) {
    return errorCode(err) ?? 'EIO';
  }
}

function startRequest(
  request: LaunchRequest,
  { confinement, niceness }: LauncherOptions,
  group?: CommandGroup,
): ProcessRequest {
  const plain = { ...request.command, env: environment(request), folder: request.folder };
  const { limits } = request;
  const told = {
    ...(limits && { processCountMax: limits.processCountMax, fileBytesMax: limits.folderBytesMax }),
    ...(niceness !== undefined && { niceness }),
  };
  const confined = confinement?.wrap(plain, request.readOnlyPaths ?? [], told) ?? plain;
  return group?.wrap(confined) ?? confined;
}

/** What a command has started: how it is found, and how it ends. */
interface CommandProcesses {
  readonly groupId: number | undefined;
  readonly listOrphans: () => readonly number[];
  /** SIGTERM to all, SIGKILL to what lives `graceMs` later; sends no signal once the command `hasEnded`. */
  end(graceMs: number, hasEnded: () => boolean): Promise<unknown>;
  /** After its end: ends what it has left. */
  endRest(): Promise<unknown>;
}

function processesOf(
  pid: number,
  { attemptId }: LaunchRequest,
  host: ProcessHost,
  confinement: Confinement | undefined,
): CommandProcesses {
  if (confinement !== undefined) {
    return {
      groupId: undefined,
      listOrphans: () => [],
      end: (graceMs) => endNamespace(pid, graceMs),
      endRest: () => endOrphanedNamespace(confinement.program, attemptId, () => host.listOrphanCandidates()),
    };
  }
  const listCandidates = () => host.listOrphanCandidates();
  return {
    groupId: pid,
    listOrphans: () => (host.isReaper ? listCandidates().filter((orphan) => hasMark(orphan, attemptId)) : []),
    end: (graceMs) => endProcesses({ groupId: pid, attemptId }, graceMs),
    endRest: () => endProcesses({ groupId: pid, attemptId, listCandidates }, 0),
  };
}

/** All of this PID namespace but this process. */
function otherProcesses(host: ProcessHost): CommandProcesses {
  const reap = () => host.listOrphanCandidates();
  return {
    groupId: undefined,
    listOrphans: listOthers,
    end: (graceMs, hasEnded) => endOthers(graceMs, reap, hasEnded),
    endRest: () => endOthers(0, reap),
  };
}

/** The kernel lets go of a group a moment after its last process. */
async function removeGroup(group: CommandGroup): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return group.remove();
    } catch (err) {
      if (tries === GROUP_REMOVALS_MAX) throw err;
      await systemClock.sleep(GROUP_REMOVAL_PAUSE_MS);
    }
  }
}

function environment({ command, folder, attemptId }: LaunchRequest): Readonly<Record<string, string>> {
  return {
    PATH,
    HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...command.env,
    [ATTEMPT_VARIABLE]: attemptId,
  };
}

/** Resolves when standard output and standard error have ended and all lines are given. */
async function readLines(
  { stdout, stderr }: Pick<StartedProcess, 'stdout' | 'stderr'>,
  { onLine, lineBytesMax }: LaunchRequest,
): Promise<void> {
  const read = (stream: StartedProcess['stdout'], source: LineSource) =>
    new Promise<void>((resolve) => {
      const splitter = createLineSplitter(lineBytesMax, (line) => onLine(line, source));
      stream
        .on('data', (chunk: Buffer) => splitter.push(chunk))
        .on('error', () => {}) // it is closed then
        .on('close', () => {
          splitter.end();
          resolve();
        });
    });
  await Promise.all([read(stdout, 'stdout'), read(stderr, 'stderr')]);
}

/** Reads the followed file of a request, if there is one. */
export function follow(
  {
    followedFile,
    folder,
    lineBytesMax,
    onLine,
  }: Pick<LaunchRequest, 'followedFile' | 'folder' | 'lineBytesMax' | 'onLine'>,
  intervalMs: number,
): { end(): Promise<void> } | undefined {
  if (followedFile === undefined) return undefined;
  return followFile(folder, followedFile, {
    intervalMs,
    lineBytesMax,
    onLine: (line) => onLine(line, 'followed-file'),
  });
}

function reportStart(pid: number, { onStarted }: LaunchRequest): void {
  const identity = onStarted && identifyProcess(pid);
  if (identity !== undefined) onStarted?.(identity);
}

/** @param isSession - it leads the session in which the command runs: processors may be shared out by session (sched(7), autogroup) */
function lowerPriority(pid: number, niceness: number, isSession: boolean): void {
  const steps = [
    () => setPriority(pid, niceness),
    () => writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE_ADJ),
    ...(isSession ? [() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness))] : []),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // it has ended already, or this system has no such thing: it runs all the same
    }
  }
}

/** Resolves when the work has settled, or after `ms`. */
function settled(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
