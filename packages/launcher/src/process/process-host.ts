import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ProcessEnd } from '@tally/simulators';
import { errorCode } from '../error-code.js';
import { listProcesses, readChildrenCpuMs } from './process-table.js';

/** A process to start. */
export interface ProcessRequest {
  /** Absolute path; nothing is looked up. */
  readonly executable: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly folder: string;
}

/** A process that was started: the leader of a session and process group of its own. */
export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process itself has ended. Never rejects. */
  readonly exited: Promise<ProcessEnd>;
  /**
   * Once it has ended: processor time of the process and of all descendants that were waited for, as the kernel has added it up,
   * milliseconds; undefined: it cannot be told.
   */
  readonly readCpuMs: () => number | undefined;
}

/**
 * How processes are started on this machine, and where those are found that they leave behind. What is started has a
 * standard input on which nothing comes, and which ends when this process ends.
 */
export interface ProcessHost {
  /** `undefined` with the promise of its `unstartable` end: it could not be started. */
  start(request: ProcessRequest): StartedProcess | { readonly pid: undefined; readonly exited: Promise<ProcessEnd> };
  /** Every process that an ended one has left behind is among these, or a descendant of one of these. */
  listOrphanCandidates(): readonly number[];
  /**
   * Processor time of an orphan that this process has adopted and waited for, with that of all that it had waited for, milliseconds, once;
   * undefined: none of this number.
   */
  readonly takeOrphanCpuMs?: (pid: number) => number | undefined;
  /** Whether orphans become children of this process: then those candidates are they, and all their children are gone. */
  readonly isReaper: boolean;
}

/**
 * Starts processes by Node, for programs that start few: each start copies this process's page tables, and the search for
 * what is left goes through all processes of the machine.
 */
export const nodeHost: ProcessHost = {
  start({ executable, args, env, folder }) {
    const child = spawn(executable, args, { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'pipe'], env });
    child.stdin.on('error', () => {}); // it ended first
    const { pid, stdout, stderr } = child;
    if (pid === undefined) return { pid, exited: startFailure(child) };
    return { pid, stdout, stderr, exited: exitOf(child), readCpuMs: measureAlone(child) };
  },
  listOrphanCandidates: listProcesses,
  isReaper: false,
};

let runningCount = 0;
let startCount = 0;

/** What the children of this process have used from the start of a child to its end, if no other one ran meanwhile. */
function measureAlone(child: ChildProcess): () => number | undefined {
  const before = readChildrenCpuMs();
  const isFirst = runningCount === 0;
  startCount += 1;
  runningCount += 1;
  const ownStart = startCount;
  let used: number | undefined;
  child.once('exit', () => {
    runningCount -= 1;
    const after = readChildrenCpuMs();
    const isAlone = isFirst && startCount === ownStart;
    if (isAlone && before !== undefined && after !== undefined) used = after - before;
  });
  return () => used;
}

function startFailure(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (err) => resolve({ kind: 'unstartable', message: errorCode(err) ?? err.name }));
  });
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? -1 } : { kind: 'signalled', signal });
    });
  });
}
