import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onProcessEnd } from './exit-hook.js';
import { recordServer } from './run-directory.js';
import { workspaceRoot } from './workspace-root.js';

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
  /** Called when the process ends without having been asked to. */
  readonly onCrash?: (line: string) => void;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** One service as a real process, started from its build; leads its own process group. */
export class ServiceProcess {
  readonly name: string;
  readonly logFile: string;
  #child: ChildProcess | undefined;
  #address: string | undefined;
  #isStopping = false;
  readonly #log: WriteStream;
  readonly #forget: () => void;

  constructor(private readonly options: ServiceProcessOptions) {
    this.name = options.name;
    this.logFile = path.join(options.directory, `${options.name}.log`);
    this.#log = createWriteStream(this.logFile, { flags: 'a' });
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
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the service; resolves when it says that it listens. */
  async start(): Promise<void> {
    this.#isStopping = false;
    const main = path.join(workspaceRoot(), 'services', this.options.service, 'dist/src/main.js');
    const listen = this.#address === undefined ? {} : { [this.#listenVariable()]: this.#address };
    const [program, ...args] = this.options.command?.() ?? [process.execPath, '--enable-source-maps', main];
    const child = spawn(program, args, {
      cwd: this.options.directory,
      env: { PATH: process.env.PATH, ...this.options.env, ...listen },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    if (child.pid !== undefined) recordServer(this.options.directory, child.pid);
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (code, signal) => {
      if (!this.#isStopping) this.options.onCrash?.(`${this.name} ended (${signal ?? `exit code ${code}`})`);
    });
    this.#address = await this.#listening(child);
  }

  #listenVariable(): string {
    const variable = Object.keys(this.options.env).find((key) => key.endsWith('_LISTEN_ADDRESS'));
    if (variable === undefined) throw new Error(`${this.name} has no listen address in its environment`);
    return variable;
  }

  #listening(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${this.name} ${why}; see ${this.logFile}`));
      const timer = setTimeout(() => fail(`did not start within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
      child.once('error', (err) => fail(err.message));
      child.once('exit', (code) => fail(`ended with exit code ${code} while it started`));
      if (child.stdout === null) throw new Error('stdout is a pipe');
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.#log.write(`${line}\n`);
        const address = /"address":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
        if (address === undefined) return;
        clearTimeout(timer);
        resolve(address);
      });
    });
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
    if (!this.isRunning() || this.#child === undefined) return;
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  /** SIGTERM, then SIGKILL to its process group when it takes too long. Safe to repeat. Resolves to the exit code. */
  async stop(): Promise<number | null> {
    this.#isStopping = true;
    const child = this.#child;
    if (child !== undefined && this.isRunning()) {
      const timer = setTimeout(() => this.#signal('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await once(child, 'exit');
      clearTimeout(timer);
    }
    return child?.exitCode ?? null;
  }

  /** Stops it for good and closes its log. */
  async close(): Promise<void> {
    await this.stop();
    this.#forget();
    this.#log.end();
  }
}
