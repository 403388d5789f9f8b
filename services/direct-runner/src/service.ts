import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { QUEUE_TOPOLOGY } from '@tally/contracts';
import type { ProcessHost } from '@tally/launcher';
import {
  addLoop,
  builtProgram,
  type Clock,
  type Lifecycle,
  type Logger,
  lazyQueue,
  logListening,
  openQueue,
  Readiness,
  type Running,
  startGrpcServer,
  startMetrics,
  startParts,
  systemClock,
  ThreadPool,
} from '@tally/service-kit';
import { receiveTask } from './amqp/task-queue.js';
import { BOUNDS, type RunnerBounds } from './bounds.js';
import { createJobsClient } from './clients/jobs-client.js';
import { createResultsClient } from './clients/results-client.js';
import type { RunnerConfig } from './config.js';
import { createDeckCache } from './domain/deck-cache.js';
import { createLeaseKeeper } from './domain/leases.js';
import { addRunnerMetrics } from './metrics.js';
import { openProcessHost } from './process/open-host.js';
import { openLauncher } from './process/open-launcher.js';
import { findExecutables } from './simulators/detect-executables.js';
import { createSimulators } from './simulators/find-simulator.js';
import { readExecutables } from './simulators/read-executables.js';
import { openWorkDir } from './storage/workdir.js';
import { createIntake } from './worker/intake.js';
import { startRunner } from './worker/runner.js';

/** One runs out while claims for the next ones are under way: with as many again no slot waits. */
const PREFETCH_PER_SLOT = 2;

/**
 * How long an executable may take at the start of the runner to say its version, milliseconds; then it runs without one, and results
 * do not show it. Large programs are read from a cold disk first.
 */
const VERSION_TIMEOUT_MS = 20_000;

/** What tests give in place of the real ones. */
export interface RunnerParts {
  readonly clock?: Clock;
  /** How processes are started; the cheapest way that there is unless given. */
  readonly host?: ProcessHost;
}

/** Starts a runner. `port` is the one of its health checks. */
export async function startDirectRunner(
  options: RunnerConfig & Partial<RunnerBounds>,
  logger: Logger,
  { clock = systemClock, host: givenHost }: RunnerParts = {},
): Promise<Running & { readonly port: number }> {
  const config: RunnerConfig & RunnerBounds = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const runnerId = config.id || `${hostname()}-${randomBytes(4).toString('hex')}`;
    logger.info({ runner_id: runnerId }, 'starting');
    const folders = await lifecycle.start('working folder', config.workDir, () =>
      openWorkDir(config.workDir, { ...config, isShared: config.confinement === 'container' }, logger),
    );
    lifecycle.add('working folder', () => folders.close());

    const host = givenHost ?? (await openHost(lifecycle, logger));
    const opened = await openLauncher(config, { host, hasCgroups: givenHost === undefined, logger });
    lifecycle.add('launcher', () => opened.close());
    const { launcher, confinement, acceptsFiles, slotsMax } = opened;
    const slots = Math.min(config.slots, slotsMax ?? config.slots);
    const configured = readExecutables(config.simulators);
    const makeFolder = () => folders.makeTrialFolder();
    const probing = { ...config, ...opened, makeFolder, timeoutMs: VERSION_TIMEOUT_MS, clock, logger };
    const found = await findExecutables(configured, probing);
    const { executables } = found;

    const caller = { caller: 'direct-runner', token: config.callerToken, timeoutMs: config.callTimeoutMs };
    const jobs = createJobsClient({ ...caller, target: config.jobsAddress }, runnerId, executables);
    lifecycle.add('jobs client', () => jobs.close());
    const results = createResultsClient({ ...config, ...caller, target: config.resultsAddress });
    lifecycle.add('results client', () => results.close());

    const queue = lazyQueue(() => openQueue(config.queueUrl, QUEUE_TOPOLOGY, logger));
    lifecycle.add('queue', () => queue.close());
    const metrics = await startMetrics(lifecycle, 'direct-runner', config.metricsAddress);
    const readiness = new Readiness(
      {
        jobs: () => jobs.checkReady(),
        results: () => results.checkReady(),
        queue: () => queue.health(),
        'working folder': () => folders.requireFreeSpace(),
        simulators: () => opened.requireReady(),
      },
      logger,
    );
    const { listenAddress: address, graceMs } = config;
    const server = await lifecycle.start('health server', address, () =>
      startGrpcServer({ address, callers: new Map(), implementations: [], readiness, logger, graceMs }),
    );
    lifecycle.add('health server', () => server.stop());
    // its health says why where that fails; workers try again
    await queue.get().catch(() => undefined);

    const leases = createLeaseKeeper({ clock, logger });
    const ports = { jobs, results, leases, limits: config, clock, logger };
    const decks = createDeckCache(results, config.deckCacheBytesMax);
    const threads = startThreads(lifecycle);
    const simulators = createSimulators({ ...config, ...opened }, configured, executables, threads);
    const intake = createIntake();
    const runner = await startRunner({
      ...config,
      slots,
      prefetchMax: config.prefetchMax ?? PREFETCH_PER_SLOT * slots,
      tasks: { ...ports, decks, folders, launcher, simulators },
      meter: addRunnerMetrics(metrics, slots),
      receiveTask: (signal) => intake.receive(async (open) => receiveTask(await queue.get(), open), signal),
    });
    const stopRunner = () => {
      readiness.close();
      return runner.stop();
    };
    lifecycle.add('workers', stopRunner, config.drainMs + graceMs);
    const reporting = { name: 'runner reports', intervalMs: config.reportMs, clock };
    const report = () => jobs.reportRunner({ confinement, acceptsFiles, slots });
    addLoop(lifecycle, reporting, async () => intake.set(!(await report()).isDraining));
    const reprobing = { name: 'executables', intervalMs: Math.min(config.reportMs, config.probePauseMs), clock };
    addLoop(lifecycle, reprobing, () => found.probeAgain());
    logListening(lifecycle, address, server.port);
    return { port: server.port };
  });
}

async function openHost(lifecycle: Lifecycle, logger: Logger): Promise<ProcessHost> {
  const host = await openProcessHost(logger);
  lifecycle.add('process host', () => host.close());
  return host;
}

/** Threads that divide large decks among tasks and read large outputs: one, because it takes a core from simulators while it works. */
const THREADS_MAX = 1;
/** How long it may take for a task, milliseconds; a deck or an output that takes longer fails the task. */
const THREAD_TIME_LIMIT_MS = 120_000;
/** Heap that it may take, bytes: many times the largest deck. What is read from files and sent is not on it. */
const THREAD_HEAP_BYTES_MAX = 1024 ** 3;

function startThreads(lifecycle: Lifecycle): ThreadPool {
  const threads = new ThreadPool({
    program: builtProgram(import.meta.url, './simulators/simulator-thread.js'),
    threadsMax: THREADS_MAX,
    waitingMax: Infinity, // no more than there are slots and prefetched tasks
    timeLimitMs: THREAD_TIME_LIMIT_MS,
    heapBytesMax: THREAD_HEAP_BYTES_MAX,
  });
  lifecycle.add('threads', () => threads.stop());
  return threads;
}
