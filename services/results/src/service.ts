import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addDatabaseMetrics,
  addLoop,
  awaitSchema,
  ConfigError,
  type Lifecycle,
  type Logger,
  Readiness,
  type Running,
  startMetrics,
  startParts,
  startRpcServer,
  systemClock,
  writeZip,
} from '@tally/service-kit';
import pLimit from 'p-limit';
import { BOUNDS, type ResultsBounds } from './bounds.js';
import type { ResultsConfig } from './config.js';
import { StoredUsage } from './domain/input/stored-usage.js';
import { MergedPages } from './domain/result/merged-pages.js';
import { createFileWriters } from './encoding/files/file-writers.js';
import { writeShortLists } from './encoding/page-encoder.js';
import { createPlotDrawer } from './encoding/picture/plot-drawer.js';
import { resultsRpcs } from './grpc/server.js';
import { addResultsMetrics } from './metrics.js';
import { type Database, openDatabase } from './storage/database.js';
import { createInputStore } from './storage/input-store.js';
import { createLogStore } from './storage/log-store.js';
import { createObjectBlocks } from './storage/object-blocks.js';
import { createResultStore } from './storage/result-store.js';
import { createS3Store } from './storage/s3-store.js';
import { readStoredBytes } from './storage/stored-bytes.js';
import { createTaskOutputStore } from './storage/task-output-store.js';
import { createTaskReportStore } from './storage/task-report-store.js';
import { createUsageStore } from './storage/usage-store.js';

/** @throws ConfigError when writing could take all connections of the database: a merge reads while it writes */
function checkConfig({ databaseConnectionsMax }: ResultsConfig): void {
  if (databaseConnectionsMax < 2) throw new ConfigError(['RESULTS_DATABASE_CONNECTIONS_MAX must be at least 2']);
}

/** An upload that has not ended after so many times its longest time never will. */
const ABANDONED_UPLOADS = 2;

/** Objects of blobs, and what sweeps them; undefined: the database holds blobs. */
async function openObjects(config: ResultsConfig & ResultsBounds, lifecycle: Lifecycle, db: Database) {
  if (config.objectStoreUrl === '') return undefined;
  const store = await createS3Store(config);
  lifecycle.add('object store', async () => store.close());
  const objects = createObjectBlocks(db, store, ABANDONED_UPLOADS * config.uploadTimeoutMs);
  addLoop(lifecycle, { name: 'object sweep', intervalMs: config.objectStoreSweepMs, clock: systemClock }, () =>
    objects.sweep(),
  );
  return objects;
}

/** Starts results; its database must be migrated. */
export async function startResults(
  options: ResultsConfig & Partial<ResultsBounds>,
  logger: Logger,
): Promise<Running & { readonly port: number }> {
  checkConfig(options);
  const config: ResultsConfig & ResultsBounds = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'results', config.metricsAddress);
    const db = openDatabase(config);
    lifecycle.add('database', () => db.close());
    addDatabaseMetrics(metrics, db);
    const checkDatabase = await awaitSchema(lifecycle, config, db, import.meta.url);
    addResultsMetrics(metrics, () => readStoredBytes(db));
    const writers = pLimit(Math.min(config.uploadsMax, config.databaseConnectionsMax - 1));
    const contents = { db, objects: await openObjects(config, lifecycle, db), writers };
    const reports = createTaskReportStore(db, config);
    const taskOutputs = createTaskOutputStore(contents, reports, config);
    const ports = {
      inputs: createInputStore(contents, config),
      usage: new StoredUsage(createUsageStore(db), systemClock),
      taskOutputs,
      results: createResultStore(contents, config),
      reports,
      logs: createLogStore(db),
      mergedPages: new MergedPages(taskOutputs, pLimit(config.mergesMax), config.mergedCacheBytesMax),
      encodePage: writeShortLists,
      fileWriters: createFileWriters({ ...config, workDir: config.workDir || path.join(tmpdir(), 'tally-results') }),
      writeArchive: writeZip,
      drawPlot: createPlotDrawer(lifecycle),
      limits: config,
      logBytesMax: config.logBytesMax,
    };
    return startRpcServer(lifecycle, config, {
      implementations: [resultsRpcs(ports)],
      readiness: new Readiness({ database: checkDatabase }, logger),
      metrics,
    });
  });
}
