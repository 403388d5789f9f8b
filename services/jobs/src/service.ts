import { batchBridge, QUEUE_TOPOLOGY, results } from '@tally/contracts';
import {
  type Clock,
  createGrpcClient,
  createMetrics,
  type Lifecycle,
  type Logger,
  type Metrics,
  openQueue,
  Readiness,
  type Running,
  serveMetrics,
  splitAddress,
  startGrpcServer,
  startLoop,
  startParts,
  systemClock,
} from '@tally/service-kit';
import { createPublisher, lazyQueue } from './amqp/publisher.js';
import { createBatchBridge } from './clients/batch-client.js';
import { createJobData } from './clients/results-client.js';
import type { JobsConfig } from './config.js';
import type { BatchBridge } from './domain/batch/batch-ports.js';
import { type BridgeCommandPorts, processBridgeCommands } from './domain/batch/process-bridge-commands.js';
import { createDispatcher } from './domain/direct/dispatch-messages.js';
import { leaseSweeper } from './domain/direct/sweep-leases.js';
import type { JobData, Notifier, Publisher } from './domain/ports.js';
import { createProjectConverter } from './domain/submit/convert-project.js';
import { createExecutableFinder } from './domain/submit/find-executables.js';
import { cleanUp } from './domain/upkeep/clean-up.js';
import { processDeletions } from './domain/upkeep/process-deletions.js';
import { jobsRpcs } from './grpc/server.js';
import { addJobsMetrics, lossCounter } from './metrics.js';
import { createBatchStore } from './storage/batch-store.js';
import { createBridgeCommandStore } from './storage/bridge-command-store.js';
import { type Database, openDatabase } from './storage/database.js';
import { createDeletionStore } from './storage/deletion-store.js';
import { listenForEvents } from './storage/event-signals.js';
import { createEventStore } from './storage/event-store.js';
import { createJobStore } from './storage/job-store.js';
import { createLeaseStore } from './storage/lease-store.js';
import { createOutbox } from './storage/outbox.js';
import { createRunnerStore } from './storage/runner-store.js';
import { createStateStore } from './storage/state-store.js';
import { createStatistics } from './storage/statistics-store.js';
import { createSubmissionStore } from './storage/submission-store.js';
import { createWorkerStore } from './storage/worker-store.js';

function createStores(database: Database, config: JobsConfig, notifier: Notifier) {
  return {
    jobs: createJobStore(database),
    states: createStateStore(database, notifier),
    leases: createLeaseStore(database),
    workers: createWorkerStore(database),
    outbox: createOutbox(database),
    runners: createRunnerStore(database),
    deletions: createDeletionStore(database),
    events: createEventStore(database),
    batch: createBatchStore(database),
    commands: createBridgeCommandStore(database),
    submissions: createSubmissionStore(database, {
      idempotencyKeyHours: config.idempotencyKeyHours,
      removalDelayMs: config.callTimeoutMs,
      commandDelayMs: config.batchSubmitWaitMs + config.callTimeoutMs,
    }),
  };
}

/** The batch platform; undefined: this deployment has none. */
function openBatchBridge(config: JobsConfig, lifecycle: Lifecycle): BatchBridge | undefined {
  const { batchBridgeAddress: target, callerToken: token, callTimeoutMs: timeoutMs } = config;
  if (target === '') return undefined;
  const client = createGrpcClient(batchBridge.BatchBridgeServiceService, { target, caller: 'jobs', token, timeoutMs });
  lifecycle.add('batch-bridge client', () => client.close());
  return createBatchBridge(client, timeoutMs);
}

const updateKeysOf = ({ updateKeyMaster, updateKeyMasterBefore, updateKeyShared }: JobsConfig) => ({
  master: updateKeyMaster,
  before: updateKeyMasterBefore,
  shared: updateKeyShared,
});

/** Tells the loops, which start after those who tell them. */
function createNotifier(): Notifier & { connect(loops: Notifier): void } {
  let connected: Notifier | undefined;
  return {
    connect: (loops) => {
      connected = loops;
    },
    outbox: () => connected?.outbox(),
    window: (placeCount) => connected?.window(placeCount),
    deletions: () => connected?.deletions(),
    commands: () => connected?.commands(),
  };
}

interface LoopParts {
  readonly config: JobsConfig;
  readonly stores: ReturnType<typeof createStores>;
  readonly jobData: JobData;
  /** Undefined: no batch platform. */
  readonly cluster: BridgeCommandPorts | undefined;
  readonly publisher: Publisher;
  readonly metrics: Metrics;
  readonly notifier: ReturnType<typeof createNotifier>;
}

/** What goes on by itself, and what makes it look at once. */
function startLoops(
  { config, stores, jobData, cluster, publisher, metrics, notifier }: LoopParts,
  lifecycle: Lifecycle,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): void {
  const { outbox, deletions, events } = stores;
  const loop = (name: string, intervalMs: number, round: () => Promise<unknown>) => {
    const running = startLoop(round, { name, intervalMs, clock, logger });
    lifecycle.add(name, () => running.stop());
    return running;
  };
  const dispatcher = createDispatcher({ outbox, publisher, settings: config });
  const dispatching = loop('dispatcher', config.dispatchIntervalMs, dispatcher.round);
  const remover = loop('remover', config.sweepIntervalMs, () =>
    processDeletions({ deletions, jobData, retryMaxMs: config.deletionRetryMaxMs }),
  );
  const commandSender =
    cluster && loop('bridge commands', config.sweepIntervalMs, () => processBridgeCommands(cluster));
  notifier.connect({
    outbox: () => dispatcher.onMessages() && dispatching.wake(),
    window: (placeCount) => dispatcher.onRoom(placeCount) && dispatching.wake(),
    deletions: () => remover.wake(),
    commands: () => commandSender?.wake(),
  });
  const { submissionTimeoutMs, eventRetentionMs, eventProgressRetentionMs } = config;
  const onLost = lossCounter(metrics);
  loop('lease sweeper', config.sweepIntervalMs, leaseSweeper({ ...config, ...stores, limits: config, clock, onLost }));
  loop('cleaner', config.tidyIntervalMs, () => cleanUp({ ...stores, notifier, submissionTimeoutMs }));
  loop('event cleaner', config.tidyIntervalMs, () => events.forgetEvents(eventRetentionMs, eventProgressRetentionMs));
}

/**
 * Starts jobs. Ready as soon as its database answers: it takes jobs while the broker is away (the outbox waits), and
 * shows and cancels them while results is.
 */
export async function startJobs(
  config: JobsConfig,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = createMetrics('jobs');
    if (config.metricsAddress !== '') {
      const served = await serveMetrics(metrics, config.metricsAddress);
      lifecycle.add('metrics', () => served.stop());
    }
    const database = openDatabase(config.databaseUrl, config.databaseConnectionsMax);
    lifecycle.add('database', () => database.close());
    await database.check();
    const queue = lazyQueue(() => openQueue(config.queueUrl, QUEUE_TOPOLOGY, logger));
    lifecycle.add('queue', () => queue.close());
    const client = createGrpcClient(results.ResultsServiceService, {
      target: config.resultsAddress,
      caller: 'jobs',
      token: config.callerToken,
      timeoutMs: config.callTimeoutMs,
    });
    lifecycle.add('results client', () => client.close());

    const notifier = createNotifier();
    const stores = createStores(database, config, notifier);
    addJobsMetrics(metrics, createStatistics(database));
    const jobData = createJobData(client);
    const bridge = openBatchBridge(config, lifecycle);
    const cluster = bridge && { ...stores, ...config, bridge, notifier };
    const publisher = createPublisher(queue, config.publishTimeoutMs);

    const parts = { config, stores, jobData, cluster, publisher, metrics, notifier };
    startLoops(parts, lifecycle, { clock, logger });
    const { leaseMs, heartbeatMs, updateKeyHours, workerLeaseMs, eventPollIntervalMs } = config;
    const signals = listenForEvents(config.databaseUrl, {
      events: stores.events,
      logger,
      clock,
      pollIntervalMs: eventPollIntervalMs,
    });
    lifecycle.add('event listener', () => signals.close());

    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: config.callers,
      implementations: [
        jobsRpcs({
          ...stores,
          notifier,
          limits: config,
          workerLeaseMs,
          updateKeys: updateKeysOf(config),
          updateKeyHours,
          jobData,
          cluster,
          signals,
          converter: createProjectConverter(),
          findExecutables: createExecutableFinder({ ...stores, logger }, config.simulators),
          runnerExpiryMs: config.runnerExpiryMs,
          clock,
          leaseMs,
          heartbeatMs,
        }),
      ],
      readiness: new Readiness({ database: () => database.check() }),
      logger,
      metrics,
      graceMs: config.graceMs,
    });
    lifecycle.add('gRPC server', () => server.stop());
    lifecycle.add('event streams', () => signals.endSubscriptions());
    logger.info({ address: `${splitAddress(config.listenAddress)[0]}:${server.port}` }, 'listening');
    return { port: server.port };
  });
}
