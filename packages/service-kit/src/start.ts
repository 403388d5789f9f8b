import { systemClock } from './clock.js';
import type { Database } from './database/database.js';
import { checkSchema, readKnownSchema, SchemaError } from './database/schema-check.js';
import { type GrpcServerOptions, startGrpcServer } from './grpc/server.js';
import { type Lifecycle, placeOf, stopRequest } from './lifecycle.js';
import { type Loop, type LoopOptions, startLoop } from './loop.js';
import { createMetrics, type Metrics, serveMetrics } from './metrics.js';
import { type HealthCheck, Readiness } from './readiness.js';

/** Parts that every service starts in the same way. */

/** Metrics of a service. @param address - where they are served; empty: nowhere */
export async function startMetrics(lifecycle: Lifecycle, service: string, address: string): Promise<Metrics> {
  const metrics = createMetrics(service);
  if (address !== '') {
    const served = await lifecycle.start('metrics', address, () => serveMetrics(metrics, address));
    lifecycle.add('metrics', () => served.stop());
  }
  return metrics;
}

/** A loop that stops with the service. */
export function addLoop(
  lifecycle: Lifecycle,
  options: Omit<LoopOptions, 'logger'>,
  round: () => Promise<unknown>,
): Loop {
  const loop = startLoop(round, { ...options, logger: lifecycle.logger });
  lifecycle.add(options.name, () => loop.stop());
  return loop;
}

type ServerConfig = Pick<GrpcServerOptions, 'callers' | 'graceMs'> & { readonly listenAddress: string };

/** How often a database is looked at that is not migrated yet. */
const SCHEMA_INTERVAL_MS = 1_000;

/**
 * Waits until the database has a schema that the code works with. Meanwhile the service is alive and not ready, and its health says why.
 * @param module - `import.meta.url` of a file of the service's package
 * @returns the check of the database for the service's readiness
 * @throws StartError when the database does not answer, or refuses us
 */
export async function awaitSchema(
  lifecycle: Lifecycle,
  { listenAddress, graceMs, databaseUrl }: Omit<ServerConfig, 'callers'> & { readonly databaseUrl: string },
  database: Database,
  module: string,
): Promise<HealthCheck> {
  const known = readKnownSchema(module);
  const check = () => checkSchema(database, known);
  const isMigrated = async () => {
    try {
      await check();
      return true;
    } catch (err) {
      if (err instanceof SchemaError) return false;
      throw err;
    }
  };
  const { logger } = lifecycle;
  await lifecycle.start('database', placeOf(databaseUrl), async () => {
    if (await isMigrated()) return;
    const readiness = new Readiness({ database: check }, logger);
    const options = { address: listenAddress, callers: new Map(), implementations: [], readiness, logger, graceMs };
    const waiting = await startGrpcServer(options);
    logListening(lifecycle, listenAddress, waiting.port);
    await readiness.check(); // one line of the log says why, also where nobody asks
    try {
      while (!(await isMigrated())) await systemClock.sleep(SCHEMA_INTERVAL_MS, stopRequest.signal);
    } finally {
      await waiting.stop();
    }
  });
  return check;
}

/** The gRPC server of a service: its last part, so that it is ready when it listens. */
export async function startRpcServer(
  lifecycle: Lifecycle,
  { listenAddress, callers, graceMs }: ServerConfig,
  options: Omit<GrpcServerOptions, 'address' | 'callers' | 'graceMs' | 'logger'>,
): Promise<{ readonly port: number }> {
  const { logger } = lifecycle;
  const server = await lifecycle.start('gRPC server', listenAddress, () =>
    startGrpcServer({ ...options, address: listenAddress, callers, graceMs, logger }),
  );
  lifecycle.add('gRPC server', () => server.stop());
  logListening(lifecycle, listenAddress, server.port);
  return { port: server.port };
}

/** The line by which whoever started a service finds its port. */
export function logListening({ logger }: Lifecycle, listenAddress: string, port: number): void {
  logger.info({ address: listenAddress.replace(/\d+$/, String(port)) }, 'listening');
}
