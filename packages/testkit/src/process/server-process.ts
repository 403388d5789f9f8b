import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { crash } from './crash.js';
import { endsWithParent } from './parent-death.js';
import type { RunAs } from './unprivileged-user.js';

/** What to start, and how to end it. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly user: RunAs;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Takes stdout and stderr. */
  readonly logFile: string;
  /** Asks the server to end quickly and in order. */
  readonly stopSignal: NodeJS.Signals;
}

/** A running server, leader of its own process group, so that Ctrl-C in a terminal reaches its owner only. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, however it ended. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
  /** Sends the stop signal, and SIGKILL after 5 s; resolves when the process is gone. Safe to repeat. */
  stop(): Promise<void>;
  /**
   * A power cut: SIGKILL to it and to everything it started. Resolves when its number is free again, too: servers take a
   * process that nobody has waited for (wait(2)) for one that still runs on their data.
   */
  crash(): Promise<void>;
  /** SIGKILL to the whole group without waiting, for exit hooks. */
  killNow(): void;
}

const STOP_TIMEOUT_MS = 5_000;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ended in between
  }
}

/** Starts a server in the background; throws if the program cannot be started. */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  const log = openSync(command.logFile, 'a');
  const [program, ...args] = endsWithParent(command.stopSignal, [command.program, ...command.args]);
  const child = spawn(program, args, {
    ...command.user,
    cwd: command.cwd,
    env: command.env ?? process.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.unref(); // a server must not keep a finished program alive: the exit hook ends it
  if (child.pid === undefined) throw new Error(`${command.program} has no process id`);
  const { pid } = child;
  return {
    pid,
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
      // only the leader: it ends its own children in order
      if (child.exitCode === null && child.signalCode === null) child.kill(command.stopSignal);
      child.ref();
      await exited;
      clearTimeout(timer);
    },
    async crash() {
      child.ref();
      await crash(pid);
      await exited;
    },
    killNow: () => signalGroup(child, 'SIGKILL'),
  };
}
