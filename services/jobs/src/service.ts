import { auth, batchBridge, QUEUE_TOPOLOGY, results } from '@tally/contracts';
import {
  addDatabaseMetrics,
  addLoop,
  awaitSchema,
  builtProgram,
  type Clock,
  createGrpcClient,
  type LazyQueue,
  type Lifecycle,
  type Logger,
  type LoopOptions,
  lazyQueue,
  type Metrics,
  openQueue,
  Readiness,
  type Running,
  startMetrics,
  startParts,
  startRpcServer,
  systemClock,
  ThreadPool,
} from '@tally/service-kit';
import { createPublisher } from './amqp/publisher.js';
import { BOUNDS, type JobsBounds } from './bounds.js';
import { createMailSender, createReceiverFinder, createRemovalNoter } from './clients/auth-client.js';
import { createBatchBridge } from './clients/batch-client.js';
import { createCurveDrawer, createJobData } from './clients/results-client.js';
import { createWebhookSender } from './clients/webhook-client.js';
import { urlFault } from './clients/webhook-target.js';
import type { JobsConfig, JobsSettings } from './config.js';
import type { BatchBridge } from './domain/batch/batch-ports.js';
import { createDispatcher } from './domain/direct/dispatch-messages.js';
import { parkMessages } from './domain/direct/park-messages.js';
import { leaseSweeper } from './domain/direct/sweep-leases.js';
import { tellWaits } from './domain/direct/tell-waits.js';
import type { Duty } from './domain/duties/duty.js';
import { type PerformPorts, performDuty } from './domain/duties/perform-duty.js';
import { createDutyWorker } from './domain/duties/work-duties.js';
import type { NotifyPorts } from './domain/notify/notify-end.js';
import { removeLeaving } from './domain/operate/remove-leaving.js';
import type { ChangeObserver, JobData, Notifier } from './domain/ports.js';
import { type RemoveDuePorts, removeDue } from './domain/retention/remove-due.js';
import { warnOwners } from './domain/retention/warn-owners.js';
import { createConfinementFinder } from './domain/submit/find-confinement.js';
import { createExecutableFinder } from './domain/submit/find-executables.js';
import { cleanUp } from './domain/upkeep/clean-up.js';
import { type DeliverPorts, deliverWebhooks } from './domain/webhook/deliver-webhooks.js';
import { createUpdateKeyCheck } from './domain/worker/check-update-key.js';
import { operatorRpcs } from './grpc/operator-rpcs.js';
import { jobsRpcs } from './grpc/server.js';
import { addChangeMetrics, addJobsMetrics, lossCounter, type QueueDepth } from './metrics.js';
import { createProjectConverter } from './process/project-converter.js';
import { warmUpConversion } from './process/warm-up.js';
import { createAccessStore } from './storage/access-store.js';
import { createStudentStore } from './storage/accounting/student-store.js';
import { createUsageStore } from './storage/accounting/usage-store.js';
import { createBatchStore } from './storage/batch-store.js';
import { type Database, openDatabase } from './storage/database.js';
import { createDutyStore } from './storage/duty-store.js';
import { createEstimateStore } from './storage/estimate-store.js';
import { createEventAnnouncer } from './storage/event-announcer.js';
import { listenForEvents } from './storage/event-signals.js';
import { createEventStore } from './storage/event-store.js';
import { createJobStore } from './storage/job-store.js';
import { createLabelStore } from './storage/labels/label-store.js';
import { createSavedSearchStore } from './storage/labels/saved-search-store.js';
import { createLeaseStore } from './storage/lease-store.js';
import { createLeavingStore } from './storage/leaving-store.js';
import { createNoticeStore, createSubscriptionStore } from './storage/notify/subscription-store.js';
import { createWebhookStore } from './storage/notify/webhook-store.js';
import { createOperatorStore } from './storage/operator-store.js';
import { createOutbox } from './storage/outbox.js';
import { createParkingStore } from './storage/parking-store.js';
import { createProjectStore } from './storage/project-store.js';
import { createRetentionStore } from './storage/retention/retention-store.js';
import { createRunnerStore } from './storage/runner-store.js';
import { createSecretCheckStore } from './storage/secret-check-store.js';
import { createStateStore } from './storage/state-store.js';
import { createStatistics } from './storage/statistics-store.js';
import { createSubmissionStore } from './storage/submission-store.js';
import { createWaitStore } from './storage/wait-store.js';
import { createWorkerStore } from './storage/worker-store.js';

/** How many messages wait in each queue and in its dead-letter queue. */
async function readDepths(lazy: LazyQueue): Promise<QueueDepth[]> {
  const queue = await lazy.get();
  const names = QUEUE_TOPOLOGY.queues.flatMap(({ name }) => [name, `${name}.dead`]);
  return Promise.all(names.map(async (name) => ({ queue: name, count: await queue.depth(name) })));
}

interface StoreParts {
  readonly config: JobsConfig;
  readonly notifier: Notifier;
  readonly observe: ChangeObserver;
  readonly logger: Logger;
}

function createStores(database: Database, { config, notifier, observe, logger }: StoreParts) {
  const announce = createEventAnnouncer(database, logger);
  const jobs = createJobStore(database);
  return {
    jobs,
    labels: createLabelStore(database, jobs, announce),
    savedSearches: createSavedSearchStore(database),
    subscriptions: createSubscriptionStore(database),
    notices: createNoticeStore(database),
    usage: createUsageStore(database),
    webhooks: createWebhookStore(database),
    states: createStateStore(database, notifier, observe, announce),
    leases: createLeaseStore(database),
    workers: createWorkerStore(database),
    outbox: createOutbox(database, config),
    parking: createParkingStore(database),
    waits: createWaitStore(database, config),
    runners: createRunnerStore(database),
    duties: createDutyStore(database),
    events: createEventStore(database),
    batch: createBatchStore(database),
    estimates: createEstimateStore(database),
    access: createAccessStore(database),
    operator: createOperatorStore(database),
    leaving: createLeavingStore(database, announce),
    retention: createRetentionStore(database, () => notifier.duties()),
    students: createStudentStore(database),
    projects: createProjectStore(database, { quotas: config, idempotencyKeyHours: config.idempotencyKeyHours }),
    submissions: createSubmissionStore(
      database,
      {
        idempotencyKeyHours: config.idempotencyKeyHours,
        removalDelayMs: config.callTimeoutMs,
        submissionTimeoutMs: config.submissionTimeoutMs,
        submitDelayMs: config.batchSubmitWaitMs + config.callTimeoutMs,
        quotas: config,
      },
      announce,
    ),
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

/** Hears of events that copies of this service have stored. */
function openSignals(
  { databaseUrl, eventPollIntervalMs: pollIntervalMs }: JobsConfig,
  parts: Omit<Parameters<typeof listenForEvents>[1], 'pollIntervalMs'>,
  lifecycle: Lifecycle,
) {
  const signals = listenForEvents(databaseUrl, { ...parts, pollIntervalMs });
  lifecycle.add('event listener', () => signals.close());
  return signals;
}

/** Calls webhooks, where they are on. */
function startWebhooks(
  { webhooksEnabled: isEnabled, webhookNetworks: allowed, ...config }: JobsConfig,
  parts: Pick<DeliverPorts, 'webhooks' | 'findReceivers' | 'logger'> & { readonly clock: Clock },
  lifecycle: Lifecycle,
) {
  const { updateKeyMaster: master, updateKeyMasterBefore: before, sweepIntervalMs: intervalMs } = config;
  const webhookRules = { isEnabled, master, before, urlFault: (url: string) => urlFault(url, allowed) };
  const { webhooks, clock } = parts;
  const ports = { ...parts, webhookRules, send: createWebhookSender(allowed) };
  const loop = isEnabled
    ? addLoop(lifecycle, { name: 'webhooks', intervalMs, clock }, async () => {
        while (await deliverWebhooks(ports)); // until nothing is due
      })
    : undefined;
  const wakeWebhooks = () => loop?.wake();
  const tellWebhooks: NotifyPorts['tellWebhooks'] = async (receiver, noticeId, body) => {
    if (isEnabled && (await webhooks.tell(receiver, `msg_${noticeId}`, body)) > 0) wakeWebhooks();
  };
  return { webhookRules, wakeWebhooks, tellWebhooks };
}

/** Who tells users of ends, by mail and by webhooks. */
function openNotify(
  config: JobsConfig,
  {
    stores,
    client,
    clock,
    logger,
  }: {
    readonly stores: ReturnType<typeof createStores>;
    readonly client: Parameters<typeof createCurveDrawer>[0];
    readonly clock: Clock;
    readonly logger: Logger;
  },
  lifecycle: Lifecycle,
) {
  const { noteRemoval, ...people } = openAuth(config, lifecycle);
  const hooks = startWebhooks(config, { ...stores, ...people, clock, logger }, lifecycle);
  const notify: NotifyPorts = { ...stores, ...hooks, ...people, drawCurves: createCurveDrawer(client), clock };
  return { hooks, notify, noteRemoval };
}

/** Says who may be told, sends mail and writes into the trail; empty: this deployment has told no address of auth. */
function openAuth(
  config: JobsConfig,
  lifecycle: Lifecycle,
): Pick<NotifyPorts, 'sendMail' | 'findReceivers'> & Pick<RemoveDuePorts, 'noteRemoval'> {
  const { authAddress: target, callerToken: token, callTimeoutMs: timeoutMs } = config;
  if (target === '') return { sendMail: undefined, findReceivers: undefined, noteRemoval: undefined };
  const client = createGrpcClient(auth.AuthServiceService, { target, caller: 'jobs', token, timeoutMs });
  lifecycle.add('auth client', () => client.close());
  return {
    sendMail: createMailSender(client),
    findReceivers: createReceiverFinder(client),
    noteRemoval: createRemovalNoter(client),
  };
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
    tasks: () => connected?.tasks(),
    window: (placeCount) => connected?.window(placeCount),
    duties: () => connected?.duties(),
  };
}

interface LoopParts {
  readonly config: JobsConfig;
  readonly stores: ReturnType<typeof createStores>;
  readonly jobData: JobData;
  /** Undefined: no batch platform. */
  readonly cluster: PerformPorts['cluster'];
  readonly notify: NotifyPorts;
  readonly noteRemoval: RemoveDuePorts['noteRemoval'];
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly notifier: ReturnType<typeof createNotifier>;
}

/** What goes on by itself, and what makes it look at once. */
function startLoops(
  { config, stores, jobData, cluster, notify, noteRemoval, dispatcher, metrics, logger, notifier }: LoopParts,
  lifecycle: Lifecycle,
  clock: Clock,
): void {
  const { events } = stores;
  const loop = (name: string, intervalMs: LoopOptions['intervalMs'], round: () => Promise<unknown>) =>
    addLoop(lifecycle, { name, intervalMs, clock }, round);
  const dispatching = loop('dispatcher', config.dispatchIntervalMs, dispatcher.round);
  const { duties, states } = stores;
  const ports = { states, jobData, cluster, limits: config, notify };
  const perform = (duty: Duty, signal: AbortSignal) => performDuty(ports, duty, signal);
  const worker = createDutyWorker({ duties, perform, clock, logger, ...config });
  lifecycle.add('duties', () => worker.stop());
  const dutyLoop = loop('duties', config.sweepIntervalMs, () => worker.round(() => dutyLoop.wake()));
  notifier.connect({
    outbox: () => dispatcher.onMessages() && dispatching.wake(),
    tasks: () => dispatcher.onTasks() && dispatching.wake(),
    window: (placeCount) => dispatcher.onRoom(placeCount) && dispatching.wake(),
    duties: () => dutyLoop.wake(),
  });
  const { eventRetentionMs, eventProgressRetentionMs } = config;
  const onLost = lossCounter(metrics);
  loop('lease sweeper', config.sweepIntervalMs, leaseSweeper({ ...config, ...stores, limits: config, clock, onLost }));
  loop('parking', config.sweepIntervalMs, () => parkMessages({ ...stores, notifier }));
  loop('waits', config.waitTellIntervalMs, () => tellWaits({ ...stores, ...config }));
  loop('cleaner', config.cleanUpIntervalMs, () => cleanUp(stores));
  loop('leaving', config.sweepIntervalMs, () => removeLeaving({ ...stores, jobData }));
  loop('retention', config.retentionIntervalMs, async () => {
    await warnOwners({ ...stores, sendMail: notify.sendMail });
    await removeDue({ ...stores, noteRemoval, logger });
  });
  loop('event cleaner', config.cleanUpIntervalMs, () =>
    events.forgetEvents(eventRetentionMs, eventProgressRetentionMs),
  );
}

function startThreads(config: JobsConfig, lifecycle: Lifecycle): ThreadPool {
  const threads = new ThreadPool({
    program: builtProgram(import.meta.url, './process/convert-thread.js'),
    threadsMax: config.conversionsAtOnceMax,
    waitingMax: config.conversionsWaitingMax,
    timeLimitMs: config.conversionTimeoutMs,
    heapBytesMax: config.conversionHeapBytesMax,
    idleMs: Number.POSITIVE_INFINITY, // its start would be most of what a user waits for
  });
  lifecycle.add('threads', () => threads.stop());
  return threads;
}

/**
 * Starts jobs. Ready as soon as its database is migrated and answers: it takes jobs while the broker is away (the outbox waits), and
 * shows and cancels them while results is. A broker that refuses us is a fault of the configuration: then it is not ready.
 */
export async function startJobs(
  options: JobsSettings & Partial<JobsBounds>,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  const config: JobsConfig = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'jobs', config.metricsAddress);
    const database = openDatabase(config.databaseUrl, config.databaseConnectionsMax);
    lifecycle.add('database', () => database.close());
    addDatabaseMetrics(metrics, database);
    const checkDatabase = await awaitSchema(lifecycle, config, database, import.meta.url);
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
    const stores = createStores(database, { config, notifier, observe: addChangeMetrics(metrics, logger), logger });
    addJobsMetrics(metrics, createStatistics(database), () => readDepths(queue));
    const jobData = createJobData(client, config.storedBytesPerUserMax);
    const publisher = createPublisher(queue, config.publishTimeoutMs);
    const dispatcher = createDispatcher({ outbox: stores.outbox, publisher, settings: config });
    const bridge = openBatchBridge(config, lifecycle);
    const cluster = bridge && { ...stores, ...config, bridge, notifier };

    const { hooks, notify, noteRemoval } = openNotify(config, { stores, client, clock, logger }, lifecycle);
    const parts = { config, stores, jobData, cluster, notify, noteRemoval, dispatcher, metrics, logger, notifier };
    startLoops(parts, lifecycle, clock);
    const { leaseMs, heartbeatMs, updateKeyHours, workerLeaseMs } = config;
    const signals = openSignals(config, { events: stores.events, logger, clock }, lifecycle);

    const ports = {
      ...stores,
      ...hooks,
      noteRemoval,
      notifier,
      limits: config,
      quotas: config,
      workerLeaseMs,
      updateKeys: updateKeysOf(config),
      updateKeyHours,
      jobData,
      cluster,
      signals,
      converter: createProjectConverter(startThreads(config, lifecycle)),
      findExecutables: createExecutableFinder(stores, config.simulators),
      builtInEngine: config.builtInEngine,
      findConfinement: createConfinementFinder(stores),
      runnerExpiryMs: config.runnerExpiryMs,
      shareLinkDaysMax: config.shareLinkDaysMax,
      clock,
      leaseMs,
      heartbeatMs,
    };
    warmUpConversion();
    const server = await startRpcServer(lifecycle, config, {
      implementations: [jobsRpcs(ports), operatorRpcs(ports)],
      readiness: new Readiness(
        {
          database: checkDatabase,
          queue: () => queue.requireNotRefused(),
          'update keys': createUpdateKeyCheck(createSecretCheckStore(database), updateKeysOf(config)),
        },
        logger,
      ),
      metrics,
    });
    lifecycle.add('event streams', () => signals.endSubscriptions());
    return server;
  });
}
