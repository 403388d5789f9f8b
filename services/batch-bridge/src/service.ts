import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { helperProgramPath } from '@tally/batch-helper';
import {
  addDatabaseClock,
  addDatabaseMetrics,
  addLoop,
  awaitSchema,
  type Clock,
  ConfigError,
  type Database,
  type Lifecycle,
  type Logger,
  type Metrics,
  openDatabase,
  placeOf,
  Readiness,
  type Running,
  startMetrics,
  startParts,
  startRpcServer,
} from '@tally/service-kit';
import { BOUNDS, type BridgeBounds } from './bounds.js';
import { createAuthClient } from './clients/auth-client.js';
import { createJobsClient } from './clients/jobs-client.js';
import { createResultsClient } from './clients/results-client.js';
import type { BatchBridgeConfig } from './config.js';
import { checkClusters } from './domain/cluster/check-clusters.js';
import type { ClusterSettings } from './domain/cluster/cluster.js';
import { clusterSettings } from './domain/cluster/cluster-settings.js';
import { reconcileClusters } from './domain/cluster/reconcile-clusters.js';
import { observeUser } from './domain/observe/observe-user.js';
import type { ChangeListener, WorkerPorts } from './domain/ports.js';
import { processUser } from './domain/process-user.js';
import { batchBridgeRpcs } from './grpc/server.js';
import { addBatchMetrics } from './metrics.js';
import { slurmScheduler } from './scheduler/slurm/slurm-scheduler.js';
import { createHostProbe } from './ssh/connect.js';
import { localPrograms } from './ssh/local-program.js';
import { SshPool } from './ssh/pool.js';
import { listenForChanges } from './storage/change-listener.js';
import { createClient } from './storage/client.js';
import { createClusterStore, createLeaseStore } from './storage/cluster-store.js';
import { createStatistics } from './storage/statistics-store.js';
import { createSubmissionStore } from './storage/submission-store.js';
import { createTaskStore } from './storage/task-store.js';
import { startClusterWorker } from './worker/cluster-worker.js';

/** A copy of the service asks for due clusters so much more often than one is due, so that one missed turn costs little. */
const CHECKS_PER_INTERVAL = 4;
const DAY_MS = 86_400_000;
const CLEANING_INTERVAL_MS = 3_600_000;

/** What the parts below share. */
interface ServiceContext {
  readonly config: BridgeOptions & BridgeBounds;
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

function createStores(database: Database) {
  const client = createClient(database);
  return {
    client,
    clusterStore: createClusterStore(client, database),
    leases: createLeaseStore(client),
    store: createSubmissionStore(client, database),
    tasks: createTaskStore(client, database),
  };
}

/** Clients of the services that work on clusters needs. */
function createClients({ config, lifecycle }: ServiceContext) {
  const caller = { caller: 'batch-bridge', token: config.callerToken, timeoutMs: config.callTimeoutMs };
  const jobs = createJobsClient({ ...caller, target: config.jobsAddress });
  lifecycle.add('jobs client', () => jobs.close());
  const { uploadTimeoutMs: transferTimeoutMs, deckBytesMax } = config;
  const results = createResultsClient({ ...caller, target: config.resultsAddress, transferTimeoutMs, deckBytesMax });
  lifecycle.add('results client', () => results.close());
  const credentials = createAuthClient({ ...caller, target: config.authAddress });
  lifecycle.add('auth client', () => credentials.close());
  return { jobs, results, credentials };
}

type Stores = ReturnType<typeof createStores>;

/** Connections and clients for work on clusters. */
function createWorkerPorts(
  context: ServiceContext,
  { client, store, tasks, leases, clusterStore }: Stores,
  stopping: AbortSignal,
): WorkerPorts {
  const { config, lifecycle, clock, logger } = context;
  const holder = `${hostname()}-${randomUUID()}`;
  const metrics = addBatchMetrics(context.metrics, createStatistics(client, clusterStore, clock));
  const clients = createClients(context);
  const sessions = new SshPool({ ...config, clock, metrics });
  lifecycle.add('SSH connections', () => sessions.close());
  lifecycle.add('leases', () => leases.release(holder));
  return {
    store,
    tasks,
    ...clients,
    sessions,
    scheduler: slurmScheduler,
    programs: localPrograms(() => config.helperFile ?? helperProgramPath(), process.execPath),
    gatewayUrl: config.gatewayUrl,
    holder,
    stopping,
    metrics,
    limits: config,
    clock,
    logger,
  };
}

/** One worker for each cluster, also for those that are gone from the configuration while they have submissions. */
async function startWorkers(context: ServiceContext, stores: Stores, changes: ChangeListener): Promise<void> {
  const { config, lifecycle, clock, logger } = context;
  const { store, leases, clusterStore } = stores;
  const stopping = new AbortController();
  const ports = createWorkerPorts(context, stores, stopping.signal);
  const { holder } = ports;
  const startWorker = (settings: ClusterSettings) => {
    // without an address of the gateway nodes know none
    const cluster = { ...settings, isReachingGateway: settings.isReachingGateway && config.gatewayUrl !== null };
    const process = (userId: bigint) => processUser(ports, cluster, userId);
    const observe = (userId: bigint) => observeUser(ports, cluster, userId);
    return startClusterWorker({ ...config, cluster, store, leases, changes, clock, logger, holder, process, observe });
  };
  const retired = (await clusterStore.listRetired()).map((settings) => clusterSettings.parse(settings));
  const workers = [...config.clusters, ...retired].map(startWorker);
  lifecycle.add('cluster workers', async () => {
    stopping.abort();
    await Promise.all(workers.map((worker) => worker.stop()));
  });
}

/** What batch-bridge is started with; bounds that are not given are the usual ones. */
export type BridgeOptions = BatchBridgeConfig &
  Partial<BridgeBounds> & {
    /** The program that runs on nodes; that of this release unless given. */
    readonly helperFile?: string;
  };

/** Starts batch-bridge. Ready as soon as its database answers: clusters come and go without it. */
export async function startBatchBridge(
  options: BridgeOptions,
  logger: Logger,
  ownClock?: Clock,
): Promise<Running & { readonly port: number }> {
  checkDefaultCluster(options);
  const config: ServiceContext['config'] = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'batch-bridge', config.metricsAddress);
    const database = openDatabase({ url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax });
    lifecycle.add('database', () => database.close());
    addDatabaseMetrics(metrics, database);
    const checkDatabase = await awaitSchema(lifecycle, config, database, import.meta.url);
    const stores = createStores(database);
    const { clusterStore, store } = stores;
    const clock = await lifecycle.start('database', placeOf(config.databaseUrl), async () => {
      await clusterStore.change((stored) => reconcileClusters(stored, config.clusters));
      // leases and due times of one copy are read by the others
      return ownClock ?? addDatabaseClock(lifecycle, database);
    });
    const context = { config, lifecycle, logger, clock, metrics };
    const changes = listenForChanges(config.databaseUrl, logger, clock);
    lifecycle.add('change listener', () => changes.close());
    const host = createHostProbe(config);
    const { checkIntervalMs } = config;
    const checking = { name: 'cluster checker', intervalMs: checkIntervalMs / CHECKS_PER_INTERVAL, clock };
    addLoop(lifecycle, checking, () => checkClusters({ clusters: clusterStore, host, clock, logger, checkIntervalMs }));
    await startWorkers(context, stores, changes);
    addLoop(lifecycle, { name: 'submission cleaner', intervalMs: CLEANING_INTERVAL_MS, clock }, () =>
      store.deleteCleared(new Date(clock.now().getTime() - config.forgetAfterDays * DAY_MS)),
    );

    return startRpcServer(lifecycle, config, {
      implementations: [batchBridgeRpcs({ ...config, clusterStore, store, changes, clock })],
      readiness: new Readiness({ database: checkDatabase }, logger),
      metrics,
    });
  });
}
