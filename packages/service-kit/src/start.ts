import { type GrpcServerOptions, startGrpcServer } from './grpc/server.js';
import type { Lifecycle } from './lifecycle.js';
import { type Loop, type LoopOptions, startLoop } from './loop.js';
import { createMetrics, type Metrics, serveMetrics, splitAddress } from './metrics.js';

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
  logger.info({ address: `${splitAddress(listenAddress)[0]}:${port}` }, 'listening');
}
