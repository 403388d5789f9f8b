import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import {
  createRunDirectory,
  createTestDatabaseOn,
  type Postgres,
  processTree,
  type Rabbitmq,
  removeRunDirectory,
  SERVICES,
  type ServiceName,
  type SuiteOptions,
  startOwnPostgres,
  startOwnRabbitmq,
  startTcpProxy,
  type TcpProxy,
} from '@tally/testkit';
import { type BatchSuite, startBatchSuite } from '../fixtures/batch-fixture.js';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { wrongClockSettings } from '../fixtures/wrong-clock.js';
import { startClusterOperator } from './cluster-operator.js';
import { MAIL_HOLD_MS, type WordServers } from './word-judge.js';

/** The way from a service to another one, or to a server. */
export interface Way {
  /** `jobs → postgres` */
  readonly name: string;
  readonly proxy: TcpProxy;
}

/** The suite in several copies, on servers of its own, with a proxy in every way between two of them. */
export interface FaultySuite {
  readonly suite: TestSuite;
  /** Undefined: only the direct platform. */
  readonly cluster: BatchSuite | undefined;
  /** Logs and working folders. */
  readonly directory: string;
  readonly postgres: Postgres;
  readonly rabbitmq: Rabbitmq;
  readonly ways: readonly Way[];
  /** Of the databases, not through a proxy. */
  readonly databases: Readonly<Record<'auth' | 'batch-bridge' | 'jobs' | 'results', string>>;
  /** Names of the processes of a service. */
  copiesOf(service: ServiceName): string[];
  /** Processes below runners. */
  simulators(): number[];
  /** Folder of a file system of 64 MB that the first runner works in; undefined where none can be made. */
  readonly smallDisk: string | undefined;
  /** Processes of the suite that are no service's own: what a service that was killed has left. */
  strays(): string[];
  stop(): Promise<void>;
}

const DATABASES = ['auth', 'batch-bridge', 'jobs', 'results'] as const;

/** Times that a test can wait for; counts that this many faults do not use up. */
const SETTINGS = {
  jobs: {
    JOBS_LEASE_MS: '6000',
    JOBS_ATTEMPTS_MAX: '20',
  },
  'direct-runner': { RUNNER_SLOTS: '2', RUNNER_WORK_DIR_FREE_BYTES_MIN: '4000000' },
  results: { RESULTS_LOG_LEVEL: 'debug' }, // each call with its duration
};

const BOUNDS = {
  jobs: {
    releasesMax: 1_000,
    redispatchAfterMs: 5_000,
    redispatchAfterMaxMs: 10_000,
    cleanUpIntervalMs: 2_000,
    submissionTimeoutMs: 60_000,
  },
};

/** A cluster that was away in a first attempt fails the job by design: here it waits. */
const CLUSTER_SETTINGS = { BATCH_LOST_AFTER_MS: '60000' };

export interface FaultySuiteOptions {
  /** Of each service, and runners. */
  readonly copies: number;
  /** With a real Slurm, for jobs of the batch platform. */
  readonly hasCluster: boolean;
  /** For what is lost on the ways: a number from [0, 1). */
  readonly random: () => number;
  /** Who is told of ends; undefined: nobody. */
  readonly word?: WordServers | undefined;
}

export async function startFaultySuite(options: FaultySuiteOptions): Promise<FaultySuite> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts(options, stops)), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** @param stops - gets what ends each part, in the order of their start */
async function startParts(
  { copies, hasCluster, random, word }: FaultySuiteOptions,
  stops: (() => unknown)[],
): Promise<Omit<FaultySuite, 'stop'>> {
  const directory = createRunDirectory('faults');
  stops.push(() => removeRunDirectory(directory));
  const ways: Way[] = [];
  const between = async (from: string, to: string, address: string): Promise<string> => {
    const proxy = await startTcpProxy(address, random);
    stops.push(() => proxy.close());
    ways.push({ name: `${from} → ${to}`, proxy });
    return proxy.address;
  };
  const through = async (from: string, to: string, url: string): Promise<string> => {
    const changed = new URL(url);
    changed.host = await between(from, to, changed.host);
    return changed.href;
  };
  const postgres = await startOwnPostgres();
  stops.push(() => postgres.stop());
  const rabbitmq = await startOwnRabbitmq();
  if (rabbitmq === undefined) throw new Error('there is no RabbitMQ on this machine');
  stops.push(() => rabbitmq.stop());
  const databases: Record<string, string> = {};
  const reached: Record<string, string> = {};
  for (const service of DATABASES) {
    const { url } = await createTestDatabaseOn(postgres, `services/${service}/prisma/migrations`);
    databases[service] = url;
    reached[service] = await through(service, 'postgres', url);
  }
  const smallDisk = mountSmallDisk(path.join(directory, 'direct-runner-1-work'));
  if (smallDisk !== undefined) stops.push(() => execFileSync('umount', ['-l', smallDisk]));
  const settings: Partial<SuiteOptions> = {
    directory,
    databases: reached as FaultySuite['databases'],
    queueUrl: await through('jobs', 'rabbitmq', rabbitmq.url),
    copies,
    runners: copies,
    between,
    bounds: word === undefined ? BOUNDS : { ...BOUNDS, auth: { mailHoldMs: MAIL_HOLD_MS } },
    env: withClocks(directory, {
      ...SETTINGS,
      jobs: { ...SETTINGS.jobs, ...word?.env.jobs },
      ...(word === undefined ? {} : { auth: word.env.auth }),
      'direct-runner': {
        ...SETTINGS['direct-runner'],
        RUNNER_QUEUE_URL: await through('direct-runner', 'rabbitmq', rabbitmq.url),
      },
    }),
  };
  const cluster = hasCluster ? await startBatchSuite({ suite: settings, env: CLUSTER_SETTINGS }) : undefined;
  const suite = cluster ?? (await startTestSuite(settings));
  stops.push(() => suite.stop());
  if (cluster !== undefined) stops.push(startClusterOperator(cluster));
  const processes = (isWanted: (name: string) => boolean = () => true) =>
    suite
      .names()
      .filter(isWanted)
      .map((name) => suite.process(name))
      .filter((process) => process.isRunning());
  return {
    suite,
    cluster,
    directory,
    postgres,
    rabbitmq,
    ways,
    databases: databases as FaultySuite['databases'],
    smallDisk,
    copiesOf: (service) => suite.names().filter((name) => name.replace(/-\d+$/, '') === service),
    simulators: () =>
      processes((name) => name.startsWith('direct-runner')).flatMap(({ pid }) => processTree(pid).slice(1)),
    strays: () => {
      const own = new Set(processes().flatMap(({ pid }) => processTree(pid)));
      return processesOf(directory).flatMap(({ pid, text }) => (own.has(pid) ? [] : `${pid} ${text}`));
    },
  };
}

/** Settings with which the wall clock of each process can be set wrong. */
function withClocks(folder: string, env: NonNullable<SuiteOptions['env']>): SuiteOptions['env'] {
  return Object.fromEntries(SERVICES.map((service) => [service, { ...env[service], ...wrongClockSettings(folder) }]));
}

/** Undefined: only root may, and not everywhere. */
function mountSmallDisk(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}

/** Processes that work in a folder, or name it. */
function processesOf(directory: string): { pid: number; text: string }[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const text = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const folder = readlinkSync(`/proc/${name}/cwd`);
      return text.includes(directory) || folder.startsWith(directory) ? [{ pid: Number(name), text }] : [];
    } catch {
      return []; // ended in between
    }
  });
}
