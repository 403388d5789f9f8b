import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { QUEUE_TOPOLOGY } from '@tally/contracts';
import {
  type Clock,
  createMetrics,
  type Logger,
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
import { receiveMerge } from './amqp/merge-queue.js';
import { receiveTask } from './amqp/task-queue.js';
import { createJobsClient } from './clients/jobs-client.js';
import { createResultsClient } from './clients/results-client.js';
import type { RunnerConfig } from './config.js';
import { addRunnerMetrics } from './metrics.js';
import { createLauncher } from './process/launcher.js';
import { openWorkDir } from './process/workdir.js';
import { detectExecutables } from './simulators/detect-executables.js';
import { createSimulators } from './simulators/find-simulator.js';
import { readExecutables } from './simulators/read-executables.js';
import { startRunner } from './worker/runner.js';

/** Starts a runner. `port` is the one of its health checks. */
export async function startDirectRunner(
  config: RunnerConfig,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const runnerId = config.id || `${hostname()}-${randomBytes(4).toString('hex')}`;
    logger.info({ runner_id: runnerId }, 'starting');
    const folders = await openWorkDir(config.workDir, config, logger);
    lifecycle.add('working folder', () => folders.close());

    const configured = readExecutables(config);
    const detection = { workDir: config.workDir, timeoutMs: config.versionTimeoutMs, logger };
    const executables = await detectExecutables(configured, detection);

    const caller = { caller: 'direct-runner', token: config.callerToken, timeoutMs: config.callTimeoutMs };
    const jobs = createJobsClient({ ...caller, target: config.jobsAddress }, runnerId);
    lifecycle.add('jobs client', () => jobs.close());
    const results = createResultsClient({ ...config, ...caller, target: config.resultsAddress });
    lifecycle.add('results client', () => results.close());
    const queue = await openQueue(config.queueUrl, QUEUE_TOPOLOGY, logger);
    lifecycle.add('queue', () => queue.close());

    const metrics = createMetrics('direct-runner');
    if (config.metricsAddress !== '') {
      const served = await serveMetrics(metrics, config.metricsAddress);
      lifecycle.add('metrics', () => served.stop());
    }
    const readiness = new Readiness({
      jobs: () => jobs.checkReady(),
      results: () => results.checkReady(),
      queue: () => queue.health(),
      workDir: () => folders.requireRoom(),
    });
    const server = await startGrpcServer({
      address: config.listenAddress,
      callers: new Map(),
      implementations: [],
      readiness,
      logger,
      graceMs: config.graceMs,
    });
    lifecycle.add('health server', () => server.stop());

    const world = { jobs, results, limits: config, clock, logger };
    const runner = await startRunner({
      ...config,
      tasks: {
        ...world,
        folders,
        launcher: createLauncher(config, clock, logger),
        simulators: createSimulators(config, configured, executables),
      },
      merges: world,
      meter: addRunnerMetrics(metrics, { task: config.slots, merge: config.mergeSlots }),
      receiveTask: (signal) => receiveTask(queue, signal),
      receiveMerge: (signal) => receiveMerge(queue, signal),
    });
    lifecycle.add('workers', () => {
      readiness.close();
      return runner.stop();
    });
    const reports = startLoop(() => jobs.reportRunner(executables), {
      name: 'runner reports',
      intervalMs: config.reportMs,
      clock,
      logger,
    });
    lifecycle.add('runner reports', () => reports.stop());
    logger.info({ address: `${splitAddress(config.listenAddress)[0]}:${server.port}` }, 'listening');
    return { port: server.port };
  });
}
