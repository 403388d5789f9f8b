import {
  type Clock,
  createMetrics,
  type Logger,
  Readiness,
  type Running,
  serveMetrics,
  splitAddress,
  startGrpcServer,
  startLoop,
  startParts,
  systemClock,
} from '@tally/service-kit';
import type { BatchBridgeConfig } from './config.js';
import { checkClusters } from './domain/check-clusters.js';
import { batchBridgeRpcs } from './grpc/server.js';
import { createHostProbe } from './ssh/connect.js';
import { createClusterStore } from './storage/cluster-store.js';
import { openDatabase } from './storage/database.js';

/** A copy of the service looks this much more often than a cluster is due, so that one missed turn costs little. */
const LOOKS_PER_CHECK = 4;

/** Starts batch-bridge. Ready as soon as its database answers: clusters come and go without it. */
export async function startBatchBridge(
  config: BatchBridgeConfig,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = createMetrics('batch-bridge');
    if (config.metricsAddress !== '') {
      const served = await serveMetrics(metrics, config.metricsAddress);
      lifecycle.add('metrics', () => served.stop());
    }
    const database = openDatabase(config.databaseUrl, config.databaseConnectionsMax);
    lifecycle.add('database', () => database.close());
    const clusters = createClusterStore(database);
    await clusters.replaceAll(config.clusters);

    const host = createHostProbe(config);
    const { checkIntervalMs } = config;
    const checker = startLoop(() => checkClusters({ clusters, host, clock, logger, checkIntervalMs }), {
      name: 'cluster checker',
      intervalMs: checkIntervalMs / LOOKS_PER_CHECK,
      clock,
      logger,
    });
    lifecycle.add('cluster checker', () => checker.stop());

    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: config.callers,
      implementations: [batchBridgeRpcs(clusters)],
      readiness: new Readiness({ database: () => database.check() }),
      logger,
      metrics,
      graceMs: config.graceMs,
    });
    lifecycle.add('gRPC server', () => server.stop());
    logger.info({ address: `${splitAddress(config.listenAddress)[0]}:${server.port}` }, 'listening');
    return { port: server.port };
  });
}
