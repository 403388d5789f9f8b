import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '@tally/service-kit';
import { waitFor } from '../wait-for.js';
import { onProcessEnd } from './exit-hook.js';
import { endsWithParent } from './parent-death.js';
import { recordServer } from './run-directory.js';
import { serviceNode } from './service-node.js';
import { type Bounds, serviceProgram } from './service-program.js';

export interface ServiceProcessOptions {
  /** Folder name below services/. */
  readonly service: string;
  /** Distinguishes several of the same service, in log names. */
  readonly name: string;
  /** The whole environment of the process, PATH excepted. */
  readonly env: Readonly<Record<string, string>>;
  /** Run directory (createRunDirectory): logs go to `<directory>/<name>.log`, and the process is recorded there. */
  readonly directory: string;
  /** Program and arguments instead of Node with the service's build; asked at every start. */
  readonly command?: () => readonly [string, ...string[]];
  /** Bounds that are not its usual ones; not together with `command`. */
  readonly bounds?: Bounds;
  /** Called when the process ends without having been asked to, and when starting it again fails. */
  readonly onCrash?: (line: string) => void;
  /** Start it again when it ends without having been asked to. */
  readonly isSupervised?: boolean;
}

const START_TIMEOUT_MS = 180_000; // of a machine that does much else
const STOP_TIMEOUT_MS = 20_000;
const RESTART_PAUSE_MS = 1_000;
const RESTART_PAUSE_MAX_MS = 30_000;
/** A process that was up for this long is not taken for one that always crashes. */
const STEADY_MS = 60_000;

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * One service as a real process, started from its build; leads its own process group. There is never more than one child:
 * one that does not come up is killed before the next is started.
 */
export class ServiceProcess {
  readonly name: string;
  readonly logFile: string;
  #child: ChildProcess | undefined;
  #address: string | undefined;
  /** Where in the log the last start began to write. */
  #logOffset = 0;
  #endWanted = new AbortController();
  #pauseMs = RESTART_PAUSE_MS;
  readonly #forget: () => void;

  constructor(private readonly options: ServiceProcessOptions) {
    this.name = options.name;
    this.logFile = path.join(options.directory, `${options.name}.log`);
    this.#forget = onProcessEnd(() => this.#signal('SIGKILL'));
  }

  /** host:port that the service listens on. It keeps it when it is started again. */
  get address(): string {
    if (this.#address === undefined) throw new Error(`${this.name} has not started`);
    return this.#address;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`${this.name} is not running`);
    return this.#child.pid;
  }

  isRunning(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  /** Starts the service; resolves when it says that it listens. What does not come up is ended. */
  async start(): Promise<void> {
    this.#endWanted = new AbortController();
    await this.#startChild();
  }

  async #startChild(): Promise<void> {
    const child = this.#spawn();
    try {
      this.#address = await this.#listening(child);
    } catch (err) {
      this.#signal('SIGKILL');
      if (child.pid !== undefined && !hasEnded(child)) await once(child, 'exit');
      throw err;
    }
    const upSince = performance.now();
    const endWanted = this.#endWanted.signal;
    const onExit = () => {
      if (endWanted.aborted) return;
      this.options.onCrash?.(`${this.name} ended (${child.signalCode ?? `exit code ${child.exitCode}`})`);
      if (performance.now() - upSince > STEADY_MS) this.#pauseMs = RESTART_PAUSE_MS;
      if (this.options.isSupervised) void this.#restart();
    };
    if (hasEnded(child)) onExit();
    else child.once('exit', onExit);
  }

  /**
   * Starts a crashed process again, with growing pauses, until it is up or its end is wanted. Only a child that was up calls
   * it, and there is one child at a time: so there is one loop.
   */
  async #restart(): Promise<void> {
    const { signal } = this.#endWanted;
    for (;;) {
      await systemClock.sleep(this.#pauseMs, signal);
      this.#pauseMs = Math.min(2 * this.#pauseMs, RESTART_PAUSE_MAX_MS);
      if (signal.aborted) return;
      try {
        await this.#startChild();
        return;
      } catch (err) {
        if (!signal.aborted) this.options.onCrash?.(String(err));
      }
    }
  }

  #spawn(): ChildProcess {
    const listen = this.#address === undefined ? {} : { [this.#listenVariable()]: this.#address };
    const { service, bounds } = this.options;
    const usual = [serviceNode(), '--enable-source-maps', ...serviceProgram(service, bounds)] as const;
    const command = this.options.command?.() ?? usual;
    const [program, ...args] = endsWithParent('SIGTERM', command);
    const log = openSync(this.logFile, 'a');
    this.#logOffset = fstatSync(log).size;
    const child = spawn(program, args, {
      cwd: this.options.directory,
      env: { PATH: process.env.PATH, ...this.options.env, ...listen },
      stdio: ['ignore', log, log], // not through this process: reading takes its time, and a benchmark's
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    if (child.pid !== undefined) recordServer(this.options.directory, child.pid);
    return child;
  }

  #listenVariable(): string {
    const variable = Object.keys(this.options.env).find((key) => key.endsWith('_LISTEN_ADDRESS'));
    if (variable === undefined) throw new Error(`${this.name} has no listen address in its environment`);
    return variable;
  }

  /** The address that the log says since the child was started. */
  async #listening(child: ChildProcess): Promise<string> {
    let fault: Error | undefined;
    const fail = (why: string) => {
      fault = new Error(`${this.name} ${why}; see ${this.logFile}`);
    };
    child.once('error', (err) => fail(err.message));
    child.once('exit', (code, signal) => fail(`ended (${signal ?? `exit code ${code}`}) while it started`));
    const said = () => {
      const lines = readFileSync(this.logFile).subarray(this.#logOffset).toString();
      return /"address":"([^"]+)".*"msg":"listening"/.exec(lines)?.[1] ?? fault;
    };
    const what = `${this.name} to listen; see ${this.logFile}`;
    const address = await waitFor(said, { timeoutMs: START_TIMEOUT_MS, what });
    if (address instanceof Error) throw address;
    return address;
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined || !this.isRunning()) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // ended in between
    }
  }

  /** SIGKILL to the service alone, as a crash; what it started lives on. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#endWanted.abort();
    if (!this.isRunning() || this.#child === undefined) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  /** SIGTERM, then SIGKILL to its process group when it takes too long. Safe to repeat. Resolves to the exit code. */
  async stop(): Promise<number | null> {
    this.#endWanted.abort();
    const child = this.#child;
    if (child !== undefined && this.isRunning()) {
      const timer = setTimeout(() => this.#signal('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await once(child, 'exit');
      clearTimeout(timer);
    }
    return child?.exitCode ?? null;
  }

  /** Stops it for good. */
  async close(): Promise<void> {
    await this.stop();
    this.#forget();
  }
}
