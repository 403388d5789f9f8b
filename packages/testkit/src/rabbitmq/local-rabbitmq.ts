import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import type { TestCertificate } from '../infrastructure/certificates.js';
import { onProcessEnd } from '../process/exit-hook.js';
import { freePort } from '../process/free-port.js';
import { createRunDirectory, recordServer, removeRunDirectory } from '../process/run-directory.js';
import { type ServerProcess, startServerProcess } from '../process/server-process.js';
import {
  assertWritable,
  giveTo,
  type RunAs,
  unprivilegedUser,
  writeCertificate,
} from '../process/unprivileged-user.js';
import { waitFor } from '../wait-for.js';

/** A RabbitMQ broker that lasts as long as its user wants, at most as long as this process. */
export interface Rabbitmq {
  /** For people: which of the ways worked. */
  readonly how: string;
  readonly url: string;
  /** Only for a broker with a certificate: its port for TLS. */
  readonly tlsPort?: number;
  /** Ends the broker if it is ours. Safe to repeat. */
  stop(): Promise<void>;
  /** Only for brokers started from programs on this machine: the process that all of its others are children of. */
  readonly processId?: () => number;
  /** Only for brokers started from programs: where `rabbitmqctl` is, and the environment that leads it to this broker. */
  readonly control?: { readonly programs: string; readonly env: NodeJS.ProcessEnv };
  /** Only for brokers of our own: die like in a power cut, and come back on the same port with the same data. */
  readonly power?: { cut(): Promise<void>; restore(): Promise<void> };
}

const START_TIMEOUT_MS = 180_000; // of a machine that does much else

// Where Debian, Homebrew and RabbitMQ's own archives put the scripts. The wrapper of the same name on PATH will not do:
// it insists on being root or the user `rabbitmq`.
const SCRIPT_FOLDERS = ['/opt/homebrew/sbin', '/usr/local/sbin', '/opt/rabbitmq/sbin'];
const DEBIAN_FOLDER = '/usr/lib/rabbitmq/lib';

/** Where the broker's scripts are; undefined if RabbitMQ is not installed. */
export function findRabbitmqPrograms(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const debian = versions.map((version) => path.join(DEBIAN_FOLDER, version, 'sbin'));
  return [...debian, ...SCRIPT_FOLDERS].find((folder) => existsSync(path.join(folder, 'rabbitmq-server')));
}

interface BrokerPorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** Everything the scripts would otherwise take from /etc and /var, moved into the private folder. */
function brokerEnvironment(dir: string, dataDir: string, ports: BrokerPorts): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: dataDir, // the Erlang cookie
    RABBITMQ_CONF_ENV_FILE: path.join(dir, 'none'),
    RABBITMQ_NODENAME: 'tally@localhost', // the data belongs to this name; the private port mapper keeps it apart from others
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: dataDir,
    RABBITMQ_MNESIA_DIR: path.join(dataDir, 'mnesia'),
    RABBITMQ_LOG_BASE: path.join(dir, 'log'),
    RABBITMQ_LOGS: path.join(dir, 'log', 'rabbit.log'),
    RABBITMQ_CONFIG_FILE: path.join(dir, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: path.join(dir, 'advanced.config'),
    RABBITMQ_GENERATED_CONFIG_DIR: path.join(dir, 'config'),
    RABBITMQ_SCHEMA_DIR: path.join(dir, 'schema'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(dir, 'enabled_plugins'),
    RABBITMQ_PID_FILE: path.join(dir, 'pid'),
    // two schedulers that sleep instead of spinning: 135 MB, and no load while nothing happens
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2 +sbwt none',
  };
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}

interface Site {
  readonly dir: string;
  readonly user: RunAs;
  readonly programs: string;
  readonly ports: BrokerPorts;
  readonly env: NodeJS.ProcessEnv;
}

async function bootProcess(site: Site, program: string, args: string[], port: number): Promise<ServerProcess> {
  const server = await startServerProcess({
    program,
    args,
    user: site.user,
    cwd: site.dir,
    env: site.env,
    logFile: path.join(site.dir, 'log', 'console.log'),
    stopSignal: 'SIGTERM',
  });
  recordServer(site.dir, server.pid);
  await waitFor(() => server.hasExited() || acceptsConnections(port), { timeoutMs: START_TIMEOUT_MS, what: program });
  if (server.hasExited()) throw new Error(`${program} ended at once, see ${site.dir}/log`);
  return server;
}

/**
 * Erlang's port mapper is ours to start and end: left to itself the broker starts one that outlives it.
 */
async function bootBroker(site: Site): Promise<ServerProcess[]> {
  const epmd = await bootProcess(site, 'epmd', ['-port', String(site.ports.epmd)], site.ports.epmd);
  try {
    const broker = await bootProcess(site, path.join(site.programs, 'rabbitmq-server'), [], site.ports.amqp);
    return [broker, epmd];
  } catch (err) {
    epmd.killNow();
    throw err;
  }
}

export interface LocalRabbitmqOptions {
  /** An absolute path: keep the data there beyond the end of the broker. */
  readonly keptDataDir?: string | undefined;
  /** Serve RabbitMQ's exporter for Prometheus on this port of 127.0.0.1, with its default settings. */
  readonly exporterPort?: number;
  /** It speaks TLS on another port, with this certificate. */
  readonly certificate?: TestCertificate;
}

/** Lines of rabbitmq.conf for TLS on a port of 127.0.0.1. */
function tlsLines(user: RunAs, dir: string, certificate: TestCertificate, port: number): string {
  const { cert, key } = writeCertificate(user, dir, certificate);
  return `listeners.ssl.1 = 127.0.0.1:${port}\nssl_options.certfile = ${cert}\nssl_options.keyfile = ${key}\n`;
}

function layOut(dir: string, dataDir: string, user: RunAs, exporterPort?: number): void {
  for (const folder of [dir, dataDir, path.join(dir, 'log'), path.join(dir, 'config'), path.join(dir, 'schema')]) {
    mkdirSync(folder, { recursive: true });
    giveTo(user, folder);
  }
  assertWritable(user, dataDir);
  const exporter = `prometheus.tcp.ip = 127.0.0.1\nprometheus.tcp.port = ${exporterPort}\n`;
  writeFileSync(path.join(dir, 'rabbitmq.conf'), exporterPort === undefined ? '' : exporter);
  writeFileSync(path.join(dir, 'enabled_plugins'), exporterPort === undefined ? '[].' : '[rabbitmq_prometheus].');
}

/** Starts a private broker on free ports of 127.0.0.1; undefined where RabbitMQ is not installed. About 7 s. */
export async function startLocalRabbitmq(options: LocalRabbitmqOptions = {}): Promise<Rabbitmq | undefined> {
  const programs = findRabbitmqPrograms();
  if (programs === undefined) return undefined;
  const user = unprivilegedUser();
  const dir = createRunDirectory('rabbitmq');
  let servers: ServerProcess[] = [];
  const takeBackHook = onProcessEnd(() => {
    for (const server of servers) server.killNow();
    removeRunDirectory(dir);
  });
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
    takeBackHook();
    removeRunDirectory(dir);
  };
  try {
    const dataDir = options.keptDataDir ?? path.join(dir, 'data');
    layOut(dir, dataDir, user, options.exporterPort);
    const tlsPort = options.certificate === undefined ? undefined : await freePort();
    if (options.certificate !== undefined && tlsPort !== undefined)
      appendFileSync(path.join(dir, 'rabbitmq.conf'), tlsLines(user, dir, options.certificate, tlsPort));
    const ports = { amqp: await freePort(), distribution: await freePort(), epmd: await freePort() };
    const site = { dir, user, programs, ports, env: brokerEnvironment(dir, dataDir, ports) };
    servers = await bootBroker(site);
    return {
      how: `rabbitmq-server of this system, in ${dir}`,
      url: `amqp://guest:guest@127.0.0.1:${ports.amqp}`,
      ...(tlsPort !== undefined && { tlsPort }),
      control: { programs, env: site.env },
      stop,
      processId() {
        const [broker] = servers;
        if (broker === undefined) throw new Error('RabbitMQ is not running');
        return broker.pid;
      },
      power: {
        async cut() {
          for (const server of servers) await server.crash();
        },
        async restore() {
          servers = await bootBroker(site);
        },
      },
    };
  } catch (err) {
    await stop();
    throw err;
  }
}
