import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Clock, Logger } from '@tally/service-kit';
import type { Command } from '@tally/simulators';
import type { LineSource, Simulation } from '../domain/ports.js';
import type { ProcessEnd, ProcessIdentity } from '../domain/task.js';
import { endProcesses } from './end-processes.js';
import { type TaskLimits, watchLimits } from './limits.js';
import { createLineSplitter } from './line-splitter.js';
import { ATTEMPT_VARIABLE, identifyProcess } from './process-table.js';

export interface SpawnSettings extends TaskLimits {
  readonly processNiceness: number;
  readonly logLineBytesMax: number;
}

export interface SpawnOptions {
  readonly settings: SpawnSettings;
  readonly attemptId: string;
  /** Working folder of the process; also its HOME and TMPDIR. */
  readonly folder: string;
  readonly onLine: (line: string, source: LineSource) => void;
  /** Called at once after the start; not where there is no /proc. */
  readonly onStarted: (identity: ProcessIdentity) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The kernel ends the simulator before any service when memory runs out (proc(5), oom_score_adj, at most 1000). */
const OOM_SCORE_ADJ = '800';
/** How long output is still read when the processes are gone but somebody holds a pipe. */
const DRAIN_MS = 2_000;

/**
 * Starts a simulator without a shell as the leader of its own session and process group. Its environment is what is
 * written here and nothing of the service's. Its standard input stays open as long as the runner lives: a simulator
 * may end when that ends.
 */
export function spawnSimulator(command: Command, options: SpawnOptions): Simulation {
  const { folder, attemptId, settings, clock } = options;
  const child = spawn(command.executable, [...command.args], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...command.env,
      [ATTEMPT_VARIABLE]: attemptId,
    },
  });
  const { pid } = child;
  if (pid === undefined) return unstartable(child);
  note(pid, options);
  lowerPriority(pid, settings.processNiceness);
  const target = { groupId: pid, attemptId };
  const limits = watchLimits(settings, pid, folder, clock);
  const closed = readLines(child, options);
  const finish = async (): Promise<ProcessEnd> => {
    const end = await exitOf(child);
    limits.end();
    // what it started has no business without it
    await endProcesses(target, 0).catch((err: unknown) => options.logger.error({ err }, 'processes are left'));
    await clock.sleep(DRAIN_MS, closed); // its pipes end at once, unless somebody unknown holds them
    child.stdout.destroy();
    child.stderr.destroy();
    return end;
  };
  return {
    ended: finish(),
    limitBroken: limits.broken,
    stop(graceMs) {
      endProcesses(target, graceMs).catch((err: unknown) => options.logger.error({ err }, 'simulator does not stop'));
    },
  };
}

function unstartable(child: ChildProcess): Simulation {
  return {
    ended: new Promise((resolve) => {
      child.once('error', (err) =>
        resolve({ kind: 'unstartable', message: 'code' in err ? String(err.code) : err.name }),
      );
    }),
    limitBroken: new AbortController().signal,
    stop: () => {},
  };
}

function note(pid: number, { onStarted, logger }: SpawnOptions): void {
  const identity = identifyProcess(pid);
  if (identity === undefined) return;
  try {
    onStarted(identity);
  } catch (err) {
    logger.warn({ err }, 'process could not be noted'); // after a crash it is still found by its environment
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE_ADJ);
  } catch {
    // it has ended already, or this system has no such thing: it runs all the same
  }
}

/** Reads standard output and standard error; the signal aborts when both have ended. */
function readLines(child: ChildProcessByStdio<Writable, Readable, Readable>, options: SpawnOptions): AbortSignal {
  const { onLine, settings } = options;
  const closed = new AbortController();
  child.stdin.on('error', () => {}); // it ended first
  for (const source of ['stdout', 'stderr'] as const) {
    const splitter = createLineSplitter(settings.logLineBytesMax, (line) => onLine(line, source));
    child[source].on('data', (chunk: Buffer) => splitter.push(chunk)).on('close', () => splitter.end());
  }
  child.once('close', () => closed.abort());
  return closed.signal;
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? -1 } : { kind: 'signalled', signal });
    });
  });
}
