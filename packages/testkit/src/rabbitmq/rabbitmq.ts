import { installPackages, mayInstallPackages } from '../infrastructure/debian-packages.js';
import { hasDocker, startContainer } from '../infrastructure/docker.js';
import { freePort } from '../process/free-port.js';
import { findRabbitmqPrograms, type Rabbitmq, startLocalRabbitmq } from './local-rabbitmq.js';

/** What {@link startRabbitmq} may do, where the data lies, and who hears what was chosen. */
export interface StartRabbitmqOptions {
  /** Install Debian's package where there is none and we are root; as set by CI=true or TALLY_INSTALL=1 unless given. */
  readonly install?: boolean;
  /** Absolute path: keep the broker's data there beyond the end. Only for brokers started from programs. */
  readonly dataDir?: string;
  /** Hears one line about which way worked, and one before a package is installed. */
  readonly log?: (line: string) => void;
}

const IMAGE = 'rabbitmq:4-alpine';
const IMAGE_PORT = 5672;

async function startInDocker(): Promise<Rabbitmq | undefined> {
  const hostPort = await freePort();
  const container = await startContainer({
    image: IMAGE,
    containerPort: IMAGE_PORT,
    hostPort,
    ready: { message: /Server startup complete/, times: 1 },
  });
  if (!container) return undefined;
  return {
    how: `Docker (${IMAGE})`,
    url: `amqp://guest:guest@127.0.0.1:${hostPort}`,
    stop: () => container.stop(),
    power: { cut: () => container.kill(), restore: () => container.restart() },
  };
}

/** Installs Debian's rabbitmq-server without starting it as a service; a minute. Throws if apt-get fails. */
async function installRabbitmq(log?: (line: string) => void): Promise<void> {
  log?.('RabbitMQ: installing rabbitmq-server with apt-get');
  await installPackages(['rabbitmq-server']);
}

/**
 * Makes sure that a broker of our own can be started: Docker or programs are there, or Debian's package is installed
 * now. Resolves to whether it can. To be called before tests, which should not wait for a package.
 */
export async function provideRabbitmq(log?: (line: string) => void): Promise<boolean> {
  if (findRabbitmqPrograms() !== undefined || (await hasDocker())) return true;
  if (!mayInstallPackages()) return false;
  await installRabbitmq(log);
  return findRabbitmqPrograms() !== undefined;
}

async function startHere({ dataDir, install, log }: StartRabbitmqOptions): Promise<Rabbitmq | undefined> {
  if (findRabbitmqPrograms() === undefined && mayInstallPackages(install)) await installRabbitmq(log);
  return startLocalRabbitmq({ keptDataDir: dataDir });
}

/**
 * Brings up a broker of our own, never one that others use: Docker (not with `dataDir`), programs of the system, the
 * same after installing them where that is allowed. Undefined if there is no way. 7 s.
 */
export async function startOwnRabbitmq(options: StartRabbitmqOptions = {}): Promise<Rabbitmq | undefined> {
  const broker = (options.dataDir === undefined ? await startInDocker() : undefined) ?? (await startHere(options));
  if (broker) options.log?.(`RabbitMQ: ${broker.how}`);
  return broker;
}

/** A broker by the first way that works: the URL in TEST_AMQP_URL, else {@link startOwnRabbitmq}. */
export async function startRabbitmq(options: StartRabbitmqOptions = {}): Promise<Rabbitmq | undefined> {
  const given = process.env.TEST_AMQP_URL;
  if (!given) return startOwnRabbitmq(options);
  const how = 'RabbitMQ at TEST_AMQP_URL';
  options.log?.(`RabbitMQ: ${how}`);
  return { how, url: given, stop: () => Promise.resolve() };
}
