import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { helperProgramPath } from '@tally/batch-helper';
import {
  type Clock,
  ConfigError,
  createMetrics,
  type Lifecycle,
  type Logger,
  type Metrics,
  Readiness,
  type Running,
  serveMetrics,
  splitAddress,
  startGrpcServer,
  startLoop,
  startParts,
  systemClock,
} from '@tally/service-kit';
import { createCredentialsClient } from './clients/credentials-client.js';
import { createJobsClient } from './clients/jobs-client.js';
import { createResultsClient } from './clients/results-client.js';
import type { BatchBridgeConfig } from './config.js';
import { cancelOnCluster } from './domain/cancel-on-cluster.js';
import { checkClusters } from './domain/check-clusters.js';
import { clearFolder } from './domain/clear-folder.js';
import type { ClusterSettings } from './domain/cluster.js';
import type { ObservationLimits } from './domain/observation-ports.js';
import type { ClusterStore } from './domain/ports.js';
import { type WatchUserPorts, watchUser } from './domain/watch-user.js';
import type { WorkForUserPorts } from './domain/work-for-user.js';
import { workForUser } from './domain/work-for-user.js';
import { batchBridgeRpcs } from './grpc/server.js';
import { addBatchMetrics } from './metrics.js';
import { slurmScheduler } from './scheduler/slurm/slurm-scheduler.js';
import { createHostProbe } from './ssh/connect.js';
import { localPrograms } from './ssh/local-program.js';
import { SshPool } from './ssh/pool.js';
import { createClusterLeases } from './storage/cluster-leases.js';
import { createClusterStore } from './storage/cluster-store.js';
import { type Database, openDatabase } from './storage/database.js';
import { listenForSignals } from './storage/signals.js';
import { createStatistics } from './storage/statistics-store.js';
import { createSubmissionIntents } from './storage/submission-intents.js';
import { createSubmissionStore } from './storage/submission-store.js';
import { createTaskStore } from './storage/task-store.js';
import { startClusterWorker } from './worker/cluster-worker.js';

/** A copy of the service looks this much more often than a cluster is due, so that one missed turn costs little. */
const LOOKS_PER_CHECK = 4;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TIDY_INTERVAL_MS = HOUR_MS;

/** What the parts below share. */
interface World {
  readonly config: BatchBridgeConfig;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** @throws ConfigError when the default cluster is none of the clusters */
function checkDefaultCluster({ clusters, defaultCluster }: BatchBridgeConfig): void {
  const isKnown = defaultCluster === '' || clusters.some(({ name }) => name === defaultCluster);
  if (!isKnown)
    throw new ConfigError([`BATCH_DEFAULT_CLUSTER=${JSON.stringify(defaultCluster)} is none of BATCH_CLUSTERS`]);
}

/** Starts batch-bridge. Ready as soon as its database answers: clusters come and go without it. */
export async function startBatchBridge(
  config: BatchBridgeConfig,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  checkDefaultCluster(config);
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = createMetrics('batch-bridge');
    const world = { config, lifecycle, logger, clock, metrics };
    if (config.metricsAddress !== '') {
      const served = await serveMetrics(metrics, config.metricsAddress);
      lifecycle.add('metrics', () => served.stop());
    }
    const database = openDatabase(config.databaseUrl, config.databaseConnectionsMax);
    lifecycle.add('database', () => database.close());
    const clusters = createClusterStore(database);
    await clusters.replaceAll(config.clusters);
    const signals = listenForSignals(config.databaseUrl, logger, clock);
    lifecycle.add('listener', () => signals.close());

    const host = createHostProbe(config);
    const { checkIntervalMs } = config;
    const checker = startLoop(() => checkClusters({ clusters, host, clock, logger, checkIntervalMs }), {
      name: 'cluster checker',
      intervalMs: checkIntervalMs / LOOKS_PER_CHECK,
      clock,
      logger,
    });
    lifecycle.add('cluster checker', () => checker.stop());
    await startWorkers(world, { database, clusters, signals });

    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: config.callers,
      implementations: [
        batchBridgeRpcs(clusters, {
          intents: createSubmissionIntents(database),
          signals,
          clock,
          clusters: config.clusters,
          defaultCluster: config.defaultCluster,
          roundMs: config.roundMs,
        }),
      ],
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

interface Stored {
  readonly database: Database;
  readonly clusters: ClusterStore;
  readonly signals: ReturnType<typeof listenForSignals>;
}

/** The neighbours that work on clusters needs. */
function connectNeighbours({ config, lifecycle }: World) {
  const caller = { caller: 'batch-bridge', token: config.callerToken, timeoutMs: config.callTimeoutMs };
  const jobs = createJobsClient({ ...caller, target: config.jobsAddress });
  lifecycle.add('jobs client', () => jobs.close());
  const { uploadTimeoutMs: transferTimeoutMs, deckBytesMax } = config;
  const results = createResultsClient({ ...caller, target: config.resultsAddress, transferTimeoutMs, deckBytesMax });
  lifecycle.add('results client', () => results.close());
  const credentials = createCredentialsClient({ ...caller, target: config.authAddress });
  lifecycle.add('auth client', () => credentials.close());
  return { jobs, results, credentials };
}

/** Limits of the watching, in its units. */
function observationLimits(config: BatchBridgeConfig): ObservationLimits {
  const { stuckHoursMax, fetchHoursMax } = config;
  return { ...config, stuckAfterMs: stuckHoursMax * HOUR_MS, giveUpAfterMs: fetchHoursMax * HOUR_MS };
}

/** One worker for each cluster, also for those that are gone from the configuration while they have something of ours. */
async function startWorkers(world: World, { database, clusters, signals }: Stored): Promise<void> {
  const { config, lifecycle, logger, clock } = world;
  const holder = `${hostname()}-${randomUUID()}`;
  const leases = createClusterLeases(database);
  const store = createSubmissionStore(database);
  const { jobs, results, credentials } = connectNeighbours(world);
  const metrics = addBatchMetrics(world.metrics, createStatistics(database, clusters, clock));
  const sessions = new SshPool({ ...config, clock, metrics });
  lifecycle.add('SSH connections', () => sessions.close());
  lifecycle.add('leases', () => leases.release(holder));

  let isStopping = false;
  const common = { store, jobs, results, clock, logger, limits: config };
  const watching: WatchUserPorts = {
    store,
    credentials,
    sessions,
    jobs,
    clock,
    logger,
    scheduler: slurmScheduler,
    submissions: store,
    tasks: createTaskStore(database),
    results,
    metrics,
    limits: observationLimits(config),
  };
  const ports: WorkForUserPorts = {
    ...common,
    credentials,
    sessions,
    ends: common,
    tries: { ...common, isStopping: () => isStopping },
    steps: {
      ...common,
      intents: createSubmissionIntents(database),
      scheduler: slurmScheduler,
      programs: localPrograms(() => config.helperFile || helperProgramPath(), process.execPath),
      gatewayUrl: config.gatewayUrl,
      progressIntervalMs: config.progressIntervalMs,
      holder,
    },
    actions: {
      cancel: (session, submissions) => cancelOnCluster(watching, session, submissions),
      clear: (session, cluster, username, submission) => clearFolder(watching, session, cluster, username, submission),
    },
  };
  const startWorker = (cluster: ClusterSettings) => {
    const work = (userId: bigint) => workForUser(ports, cluster, userId);
    // without an address of the gateway nodes have been told none
    const isReachingGateway = cluster.isReachingGateway && config.gatewayUrl !== null;
    const observe = (userId: bigint) => watchUser(watching, { ...cluster, isReachingGateway }, userId);
    return startClusterWorker({ ...config, cluster, store, leases, signals, clock, logger, holder, work, observe });
  };
  const workers = [...config.clusters, ...(await clusters.listRetired())].map(startWorker);
  lifecycle.add('cluster workers', async () => {
    isStopping = true;
    await Promise.all(workers.map((worker) => worker.stop()));
  });
  const tidier = startLoop(() => store.forget(new Date(clock.now().getTime() - config.forgetAfterDays * DAY_MS)), {
    name: 'submission tidier',
    intervalMs: TIDY_INTERVAL_MS,
    clock,
    logger,
  });
  lifecycle.add('submission tidier', () => tidier.stop());
}
