import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Command, ProcessEnd } from '@tally/simulators';
import { followFile } from '../output/follow-file.js';
import { createLineSplitter } from '../output/line-splitter.js';
import { endProcesses } from './end-processes.js';
import { createLimitWatch, type ProcessLimits } from './limit-watch.js';
import { nodeHost, type ProcessHost, type StartedProcess } from './process-host.js';
import { ATTEMPT_VARIABLE, identifyProcess, type ProcessIdentity } from './process-table.js';

export type LineSource = 'stdout' | 'stderr' | 'followed-file';

/** A command to start, its limits and its callbacks. */
export interface LaunchRequest {
  readonly command: Command;
  /** Marks every process of this attempt; unique on the machine. */
  readonly attemptId: string;
  /** Working folder of the process; also its HOME and TMPDIR. */
  readonly folder: string;
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
  /** Resolves when the process has ended, its lines are read and nothing that it started lives. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Aborts when a limit is broken; `reason` is a `LimitName`. Nothing is stopped by that. */
  readonly limitBroken: AbortSignal;
  /** SIGTERM to all that it has started, SIGKILL after `graceMs`. */
  stop(graceMs: number): void;
}

/** The one place that turns a command, a folder and limits into running processes and their end. */
export interface Launcher {
  /** Starts a command without a shell. Its environment is what is written here and nothing of this process's. */
  launch(request: LaunchRequest): LaunchedCommand;
}

export interface LauncherOptions {
  /** How processes are started; by Node unless given. */
  readonly host?: ProcessHost;
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
const NEVER = new AbortController().signal;

/** Starts commands as children of this process. */
export function createLauncher({ host = nodeHost, checkIntervalMs, niceness }: LauncherOptions): Launcher {
  const limitWatch = createLimitWatch(checkIntervalMs);
  return {
    launch(request) {
      const { attemptId, folder, limits, onFault } = request;
      const started = host.start({ ...request.command, env: environment(request), folder });
      const { pid, exited } = started;
      if (pid === undefined) return { ended: exited, limitBroken: NEVER, stop: () => {} };
      const linesRead = readLines(started, request);
      const following = follow(request, checkIntervalMs);
      reportStart(pid, request);
      if (niceness !== undefined) lowerPriority(pid, niceness);
      const watched = limits && limitWatch.watch({ groupId: pid, folder, limits });
      const finish = async (): Promise<ProcessEnd> => {
        const end = await exited;
        watched?.end();
        // nothing that it started outlives it; all that is left is an orphan by now
        const listCandidates = () => host.listOrphanCandidates();
        await endProcesses({ groupId: pid, attemptId, listCandidates }, 0).catch(onFault);
        await settled(linesRead, DRAIN_MS); // its pipes end at once, unless an unknown process holds them
        started.stdout.destroy();
        started.stderr.destroy();
        await following?.end();
        return end;
      };
      return {
        ended: finish(),
        limitBroken: watched?.broken ?? NEVER,
        stop: (graceMs) => void endProcesses({ groupId: pid, attemptId }, graceMs).catch(onFault),
      };
    },
  };
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

function follow(
  { followedFile, folder, lineBytesMax, onLine }: LaunchRequest,
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

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE_ADJ);
  } catch {
    // it has ended already, or this system has no such thing: it runs all the same
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
