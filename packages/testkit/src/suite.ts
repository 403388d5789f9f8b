import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './process/free-port.js';
import { ServiceProcess } from './process/service-process.js';
import type { Bounds } from './process/service-program.js';

/** The services of the suite by folder name. */
export const SERVICES = ['auth', 'results', 'batch-bridge', 'jobs', 'gateway', 'direct-runner'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface SuiteOptions {
  /** URLs of migrated databases. */
  readonly databases: Readonly<Record<'auth' | 'batch-bridge' | 'jobs' | 'results', string>>;
  /** URL for service-kit's openQueue. */
  readonly queueUrl: string;
  /** A run directory (createRunDirectory): logs and the runners' working folders lie there. */
  readonly directory: string;
  /** Base64 of 32 bytes; keeps sessions and keys readable over restarts of the whole suite. Random unless given. */
  readonly encryptionKey?: string;
  /** What the update keys of jobs are derived from, at least 32 characters. From the encryption key unless given. */
  readonly updateKeyMaster?: string;
  /** host:port of the gateway; port 0 picks one. */
  readonly gatewayAddress?: string;
  /** Runners to start with; 1 unless given. */
  readonly runners?: number;
  /** Copies of each other service to start with; 1 unless given. Their callers spread calls over all of them. */
  readonly copies?: number;
  /** Address at which a service reaches a copy of another one, instead of its own: of a proxy between them. */
  readonly between?: (from: ServiceName, to: ServiceName, address: string) => Promise<string>;
  /** More settings by service. */
  readonly env?: Partial<Readonly<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** Bounds by service that are not its usual ones (src/bounds.ts of the service). */
  readonly bounds?: Partial<Readonly<Record<ServiceName, Bounds>>>;
  /** Program and arguments that start a service, instead of Node with its build, asked at each start; they get its environment. */
  readonly command?: (service: ServiceName) => readonly [string, ...string[]];
  /** Start a service again that ends by itself, with growing pauses. */
  readonly restartsCrashed?: boolean;
  /** Hears one line for each thing worth knowing. */
  readonly log?: (line: string) => void;
}

/** The whole suite as real processes on this machine. */
export interface Suite {
  readonly gatewayUrl: string;
  /** Names of all processes, in the order of their start. */
  names(): string[];
  /** A process by name: `jobs`, `direct-runner-1` … */
  process(name: string): ServiceProcess;
  /** Starts one more copy of a service that may have several; resolves to its process. */
  addCopy(service: 'direct-runner' | 'gateway' | 'auth' | 'jobs' | 'results'): Promise<ServiceProcess>;
  /** Stops everything, runners and gateway first. Safe to repeat. */
  stop(): Promise<void>;
}

/** Who may call whom (docs/architecture.md). The chart and its network policies are made from this table. */
export const CALLERS: Partial<Record<ServiceName, readonly ServiceName[]>> = {
  auth: ['gateway', 'batch-bridge', 'jobs'],
  jobs: ['gateway', 'direct-runner', 'batch-bridge'],
  results: ['gateway', 'jobs', 'direct-runner', 'batch-bridge'],
  'batch-bridge': ['gateway', 'jobs'],
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A gRPC target (https://github.com/grpc/grpc/blob/master/doc/naming.md). */
const targetOf = (addresses: readonly string[]): string =>
  addresses.length === 1 ? addresses.join() : `ipv4:${addresses.join(',')}`;

/** `jobs` 1, `jobs-2` 2 … */
const numberOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);

class RunningSuite implements Suite {
  readonly #processes = new Map<string, ServiceProcess>();
  readonly #tokens = new Map<ServiceName, string>(SERVICES.map((name) => [name, randomBytes(24).toString('hex')]));
  readonly #encryptionKey: string;
  readonly #updateKeyMaster: string;
  /** One for each copy of jobs: known before they start, because batch-bridge and jobs call each other. */
  #jobsAddresses: readonly string[] = [];
  /** Known before it starts, because batch-bridge tells clusters of it. */
  #gatewayAddress = '';

  constructor(private readonly options: SuiteOptions) {
    this.#encryptionKey = options.encryptionKey ?? randomBytes(32).toString('base64');
    this.#updateKeyMaster = options.updateKeyMaster ?? sha256(`update keys ${this.#encryptionKey}`);
  }

  get gatewayUrl(): string {
    return `http://${this.process('gateway').address}`;
  }

  names(): string[] {
    return [...this.#processes.keys()];
  }

  process(name: string): ServiceProcess {
    const found = this.#processes.get(name);
    if (found === undefined) throw new Error(`no process ${name}; there are ${this.names().join(', ')}`);
    return found;
  }

  async start(): Promise<void> {
    const copies = Array.from({ length: this.options.copies ?? 1 }, (_, i) => i);
    this.#jobsAddresses = await Promise.all(copies.map(async () => `127.0.0.1:${await freePort()}`));
    const startAll = (service: ServiceName) =>
      Promise.all(copies.map((i) => this.#start(service, i === 0 ? service : `${service}-${i + 1}`)));
    const { gatewayAddress } = this.options;
    const hasPort = gatewayAddress !== undefined && !gatewayAddress.endsWith(':0');
    this.#gatewayAddress = hasPort ? gatewayAddress : `127.0.0.1:${await freePort()}`;
    await Promise.all([startAll('auth'), startAll('results')]);
    await startAll('batch-bridge');
    await startAll('jobs');
    await startAll('gateway');
    for (let i = 0; i < (this.options.runners ?? 1); i++) await this.addCopy('direct-runner');
  }

  addCopy(service: ServiceName): Promise<ServiceProcess> {
    let number = service === 'direct-runner' ? 1 : 2;
    while (this.#processes.has(`${service}-${number}`)) number++;
    return this.#start(service, `${service}-${number}`);
  }

  async #start(service: ServiceName, name: string = service): Promise<ServiceProcess> {
    const { directory, log, restartsCrashed, command } = this.options;
    const bounds = this.options.bounds?.[service];
    const started = new ServiceProcess({
      service,
      name,
      directory,
      ...(command === undefined ? {} : { command: () => command(service) }),
      ...(bounds === undefined ? {} : { bounds }),
      env: { ...(await this.#environment(service, name)), ...this.options.env?.[service] },
      ...(log === undefined ? {} : { onCrash: log }),
      isSupervised: restartsCrashed ?? false,
    });
    this.#processes.set(name, started);
    await started.start();
    return started;
  }

  /** Where a service reaches another one: at its only copy, or at all. */
  async #target(from: ServiceName, to: ServiceName): Promise<string> {
    const names = this.names().filter((name) => name.replace(/-\d+$/, '') === to);
    const isYetToStart = to === 'jobs' && names.length < this.#jobsAddresses.length;
    const addresses = isYetToStart ? this.#jobsAddresses : names.map((name) => this.process(name).address);
    const { between } = this.options;
    return targetOf(
      between === undefined ? addresses : await Promise.all(addresses.map((address) => between(from, to, address))),
    );
  }

  async #environment(service: ServiceName, name: string): Promise<Record<string, string>> {
    const callers = (CALLERS[service] ?? [])
      .map((caller) => `${caller}:${sha256(this.#tokens.get(caller) ?? '')}`)
      .join(',');
    const token = this.#tokens.get(service) ?? '';
    const { databases, queueUrl, directory } = this.options;
    switch (service) {
      case 'auth':
        return {
          AUTH_LISTEN_ADDRESS: '127.0.0.1:0',
          AUTH_CALLERS: callers,
          AUTH_DATABASE_URL: databases.auth,
          AUTH_ENCRYPTION_KEY: this.#encryptionKey,
        };
      case 'results':
        return {
          RESULTS_LISTEN_ADDRESS: '127.0.0.1:0',
          RESULTS_CALLERS: callers,
          RESULTS_DATABASE_URL: databases.results,
        };
      case 'batch-bridge':
        return {
          BATCH_LISTEN_ADDRESS: '127.0.0.1:0',
          BATCH_CALLERS: callers,
          BATCH_CALLER_TOKEN: token,
          BATCH_DATABASE_URL: databases['batch-bridge'],
          BATCH_AUTH_ADDRESS: await this.#target(service, 'auth'),
          BATCH_JOBS_ADDRESS: await this.#target(service, 'jobs'),
          BATCH_RESULTS_ADDRESS: await this.#target(service, 'results'),
          BATCH_GATEWAY_URL: `http://${this.#gatewayAddress}`,
        };
      case 'jobs':
        return {
          JOBS_LISTEN_ADDRESS: this.#jobsAddresses[numberOf(name) - 1] ?? '127.0.0.1:0',
          JOBS_CALLERS: callers,
          JOBS_CALLER_TOKEN: token,
          JOBS_DATABASE_URL: databases.jobs,
          JOBS_QUEUE_URL: queueUrl,
          JOBS_UPDATE_KEY_MASTER: this.#updateKeyMaster,
          JOBS_RESULTS_ADDRESS: await this.#target(service, 'results'),
          JOBS_BATCH_BRIDGE_ADDRESS: await this.#target(service, 'batch-bridge'),
          // a release before this one knows no such setting
          ...(this.options.command !== undefined && this.options.env?.auth?.AUTH_SMTP_HOST === undefined
            ? {}
            : { JOBS_AUTH_ADDRESS: await this.#target(service, 'auth') }),
        };
      case 'gateway':
        return {
          GATEWAY_LISTEN_ADDRESS: name === 'gateway' ? this.#gatewayAddress : '127.0.0.1:0',
          GATEWAY_CALLER_TOKEN: token,
          GATEWAY_COOKIE_SECURE: 'false',
          GATEWAY_AUTH_ADDRESS: await this.#target(service, 'auth'),
          GATEWAY_JOBS_ADDRESS: await this.#target(service, 'jobs'),
          GATEWAY_RESULTS_ADDRESS: await this.#target(service, 'results'),
          GATEWAY_BATCH_BRIDGE_ADDRESS: await this.#target(service, 'batch-bridge'),
        };
      case 'direct-runner': {
        const workDir = path.join(directory, `${name}-work`);
        mkdirSync(workDir, { recursive: true });
        return {
          RUNNER_LISTEN_ADDRESS: '127.0.0.1:0',
          RUNNER_CALLER_TOKEN: token,
          RUNNER_QUEUE_URL: queueUrl,
          RUNNER_JOBS_ADDRESS: await this.#target(service, 'jobs'),
          RUNNER_RESULTS_ADDRESS: await this.#target(service, 'results'),
          RUNNER_WORK_DIR: workDir,
        };
      }
    }
  }

  async stop(): Promise<void> {
    const names = this.names();
    const outer = names.filter((name) => name.startsWith('gateway') || name.startsWith('direct-runner'));
    await Promise.all(outer.map((name) => this.process(name).close()));
    await Promise.all(names.filter((name) => !outer.includes(name)).map((name) => this.process(name).close()));
  }
}

/** Starts all six services, each from its build, wired to each other. What had started is stopped when one fails. */
export async function startSuite(options: SuiteOptions): Promise<Suite> {
  const suite = new RunningSuite(options);
  try {
    await suite.start();
    return suite;
  } catch (err) {
    await suite.stop();
    throw err;
  }
}
