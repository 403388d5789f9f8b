import { type Logger, Readiness, type Running, splitAddress, startGrpcServer, startParts } from '@tally/service-kit';
import type { BatchBridgeConfig } from './config.js';
import { batchBridgeRpcs } from './grpc/server.js';

/** Starts batch-bridge. It has no dependencies yet. */
export async function startBatchBridge(config: BatchBridgeConfig, logger: Logger): Promise<Running & { port: number }> {
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: config.callers,
      implementations: [batchBridgeRpcs()],
      readiness: new Readiness({}),
      logger,
      graceMs: config.graceMs,
    });
    lifecycle.add('gRPC server', () => server.stop());
    logger.info({ address: `${splitAddress(config.listenAddress)[0]}:${server.port}` }, 'listening');
    return { port: server.port };
  });
}
