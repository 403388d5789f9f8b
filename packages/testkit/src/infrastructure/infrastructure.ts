import { createServer } from 'node:http';
import { startPostgres } from '../postgres/postgres.js';
import { cleanUpLeftovers } from '../process/run-directory.js';
import { startRabbitmq } from '../rabbitmq/rabbitmq.js';
import type { ServerAddress } from './shared-infrastructure.js';

/** The servers of one test run, each started when the first test file asks for it. */
export interface Infrastructure {
  /** Where test files ask; goes into the environment of the test workers. */
  readonly url: string;
  /** Ends what was started. */
  close(): Promise<void>;
}

interface Started extends ServerAddress {
  stop(): Promise<void>;
}

const NO_RABBITMQ =
  'no RabbitMQ: set TEST_AMQP_URL, start Docker, install rabbitmq-server, or let us install it (TALLY_INSTALL=1, as root)';

type Log = (line: string) => void;

async function startSharedPostgres(log: Log): Promise<Started> {
  const server = await startPostgres({ log });
  return { url: server.url('postgres'), how: server.how, stop: () => server.stop() };
}

async function startSharedRabbitmq(log: Log): Promise<Started> {
  const server = await startRabbitmq({ log });
  if (!server) throw new Error(NO_RABBITMQ);
  return { url: server.url, how: server.how, stop: () => server.stop() };
}

/**
 * Serves the addresses of PostgreSQL and RabbitMQ on a port of 127.0.0.1, to be asked by `sharedPostgres` and
 * `sharedRabbitmq`. Runs in jest's main process, so that a server is brought up once a run, and only if it is used.
 */
export async function serveInfrastructure(log: Log): Promise<Infrastructure> {
  cleanUpLeftovers();
  const started = new Map<string, Promise<Started>>();
  const starters = new Map([
    ['/postgres', startSharedPostgres],
    ['/rabbitmq', startSharedRabbitmq],
  ]);
  const start = (path: string): Promise<Started> | undefined => {
    const known = started.get(path);
    if (known) return known;
    const starting = starters.get(path)?.(log);
    if (starting) started.set(path, starting);
    return starting;
  };
  const server = createServer((req, res) => {
    const starting = start(req.url ?? '/');
    if (!starting) return void res.writeHead(404).end('no such server');
    starting.then(
      ({ url, how }) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url, how })),
      (err: unknown) => res.writeHead(503).end(err instanceof Error ? err.message : String(err)),
    );
  });
  // or a connection that a test file keeps open is closed in the moment it asks again
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const starting of await Promise.allSettled(started.values())) {
        if (starting.status === 'fulfilled') await starting.value.stop();
      }
    },
  };
}
