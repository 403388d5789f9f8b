import {
  createMetrics,
  type Logger,
  Readiness,
  type Running,
  serveMetrics,
  splitAddress,
  startGrpcServer,
  startParts,
} from '@tally/service-kit';
import pLimit from 'p-limit';
import type { ResultsConfig } from './config.js';
import { MergedPages } from './domain/result/merged-pages.js';
import { pageEncoder } from './encoding/page-encoder.js';
import { resultsRpcs } from './grpc/server.js';
import { addResultsMetrics } from './metrics.js';
import { openDatabase } from './storage/database.js';
import { createInputStore } from './storage/input-store.js';
import { createLogStore } from './storage/log-store.js';
import { createResultStore } from './storage/result-store.js';
import { readStoredBytes } from './storage/stored-bytes.js';
import { createTaskOutputStore } from './storage/task-output-store.js';
import { createTaskReportStore } from './storage/task-report-store.js';

/** Starts results: its database first, its server last. */
export async function startResults(
  config: ResultsConfig,
  logger: Logger,
): Promise<Running & { readonly port: number }> {
  return startParts(logger, config.graceMs, async (lifecycle) => {
    if (config.uploadsMax >= config.databaseConnectionsMax) {
      throw new Error('RESULTS_UPLOADS_MAX must be less than RESULTS_DATABASE_CONNECTIONS_MAX');
    }
    const metrics = createMetrics('results');
    if (config.metricsAddress !== '') {
      const endpoint = await serveMetrics(metrics, config.metricsAddress);
      lifecycle.add('metrics', () => endpoint.stop());
    }
    const db = openDatabase(config);
    lifecycle.add('database', () => db.close());
    addResultsMetrics(metrics, () => readStoredBytes(db));
    const taskOutputs = createTaskOutputStore(db, config);
    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: config.callers,
      implementations: [
        resultsRpcs({
          inputs: createInputStore(db, config),
          taskOutputs,
          results: createResultStore(db, config),
          reports: createTaskReportStore(db, config),
          logs: createLogStore(db),
          mergedPages: new MergedPages(taskOutputs, pLimit(config.mergesMax), config.mergedCacheBytesMax),
          pageEncoder,
          uploads: pLimit(config.uploadsMax),
          limits: config,
          logBytesMax: config.logBytesMax,
        }),
      ],
      readiness: new Readiness({ database: () => db.check() }),
      logger,
      metrics,
      graceMs: config.graceMs,
    });
    lifecycle.add('gRPC server', () => server.stop());
    logger.info({ address: `${splitAddress(config.listenAddress)[0]}:${server.port}` }, 'listening');
    return { port: server.port };
  });
}
