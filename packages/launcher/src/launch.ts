import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Command, ProcessEnd } from '@tally/simulators';
import { endProcesses } from './end-processes.js';
import { errorCode } from './error-code.js';
import { followFile } from './follow-file.js';
import { createLineSplitter } from './line-splitter.js';
import { pause } from './pause.js';
import { ATTEMPT_VARIABLE } from './process-table.js';

export type LineSource = 'stdout' | 'stderr' | 'followed-file';

export interface LaunchOptions {
  /** Marks every process of this attempt; unique on the machine. */
  readonly attemptId: string;
  /** Working folder of the process; also its HOME and TMPDIR. */
  readonly folder: string;
  /** A longer line is broken there. */
  readonly lineBytesMax: number;
  /** A file below the folder that grows, whose lines are read too, and how often it is looked at. */
  readonly followed: { readonly pattern: RegExp; readonly intervalMs: number } | undefined;
  readonly onLine: (line: string, source: LineSource) => void;
  /** Hears of processes that do not end. */
  readonly onFault: (err: unknown) => void;
}

/** A started command: the leader of its own session and process group. */
export interface Launched {
  /** `undefined`: it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the process itself has ended. Never rejects. */
  readonly exited: Promise<ProcessEnd>;
  /** The same, when also its lines are read and nothing that it started lives. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGTERM to all that it has started, SIGKILL after `graceMs`. */
  stop(graceMs: number): void;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** How long output is still read when the processes are gone but somebody holds a pipe. */
const DRAIN_MS = 2_000;

/**
 * Starts a command without a shell. Its environment is what is written here and nothing of this process's. Its standard
 * input stays open as long as this process lives: a simulator may end when that ends.
 */
export function launch(command: Command, options: LaunchOptions): Launched {
  const { folder, attemptId, onFault } = options;
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
  const target = { groupId: pid, attemptId };
  const closed = readLines(child, options);
  const following = follow(options);
  const exited = exitOf(child);
  const finish = async (): Promise<ProcessEnd> => {
    const end = await exited;
    // what it started has no business without it
    await endProcesses(target, 0).catch(onFault);
    await pause(DRAIN_MS, closed); // its pipes end at once, unless somebody unknown holds them
    child.stdout.destroy();
    child.stderr.destroy();
    await following?.end();
    return end;
  };
  return {
    pid,
    exited,
    ended: finish(),
    stop(graceMs) {
      endProcesses(target, graceMs).catch(onFault);
    },
  };
}

function unstartable(child: ChildProcess): Launched {
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (err) => resolve({ kind: 'unstartable', message: errorCode(err) ?? err.name }));
  });
  return { pid: undefined, exited: ended, ended, stop: () => {} };
}

/** Reads standard output and standard error; the signal aborts when both have ended. */
function readLines(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  { onLine, lineBytesMax }: LaunchOptions,
): AbortSignal {
  const closed = new AbortController();
  child.stdin.on('error', () => {}); // it ended first
  for (const source of ['stdout', 'stderr'] as const) {
    const splitter = createLineSplitter(lineBytesMax, (line) => onLine(line, source));
    child[source].on('data', (chunk: Buffer) => splitter.push(chunk)).on('close', () => splitter.end());
  }
  child.once('close', () => closed.abort());
  return closed.signal;
}

function follow({ followed, folder, lineBytesMax, onLine }: LaunchOptions): { end(): Promise<void> } | undefined {
  if (followed === undefined) return undefined;
  const { pattern, intervalMs } = followed;
  return followFile(folder, pattern, { intervalMs, lineBytesMax, onLine: (line) => onLine(line, 'followed-file') });
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? -1 } : { kind: 'signalled', signal });
    });
  });
}
