import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { messages, QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import { strayProcesses } from '@tally/launcher';
import { type Logger, openQueue, type Queue, type Running, silentLogger } from '@tally/service-kit';
import { createTestBroker, waitFor } from '@tally/testkit';
import type { RunnerBounds } from '../../src/bounds.js';
import type { RunnerConfig } from '../../src/config.js';
import type { WorkOrder } from '../../src/domain/task.js';
import { orderOf } from '../attempt.js';
import { startTestRunner } from '../start.js';
import { type JobsStandIn, type StandInAttempt, startJobsStandIn } from './jobs.js';
import { type ResultsStandIn, startResultsStandIn } from './results.js';

/** Script that behaves as its deck says (fixtures/simulator.mjs). */
export const SIMULATOR = fileURLToPath(new URL('../fixtures/simulator.mjs', import.meta.url));

/** Settings that make a test quick, and nothing else. */
const QUICK: Partial<RunnerConfig & RunnerBounds> = {
  engineCommand: SIMULATOR,
  limitCheckMs: 50,
  logShipMs: 50,
  retryPauseMs: 20,
  retryPauseMsMax: 100,
  stopGraceMs: 300,
  cancelGraceMs: 300,
  slots: 2,
  prefetchMax: 0,
};

/** What surrounds a runner in a contract test: real broker and gRPC, stand-ins for jobs and results. */
export interface TestEnvironment {
  readonly jobs: JobsStandIn;
  readonly results: ResultsStandIn;
  readonly queue: Queue;
  readonly queueUrl: string;
  readonly workDir: string;
  startRunner(
    settings?: Partial<RunnerConfig & RunnerBounds>,
    logger?: Logger,
  ): Promise<Running & { readonly port: number }>;
  /** A task as jobs would dispatch it. */
  submit(
    deck: Readonly<Record<string, string>>,
    order?: Partial<WorkOrder>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<StandInAttempt>;
  /** The reported end of an attempt; waits for it. */
  endOf(attempt: StandInAttempt, timeoutMs?: number): Promise<NonNullable<StandInAttempt['end']>>;
  /** Attempts of which there is anything in the working folder. */
  folders(): Promise<string[]>;
  /** A file in the folder of an attempt's simulator. */
  taskFile(attempt: StandInAttempt, name: string): string;
}

/** A fresh environment for every test of the file. After each test no process of any attempt and no folder may be left. */
export function useTestEnvironment(): TestEnvironment {
  let queue: Queue;
  let queueUrl: string;
  let jobs: JobsStandIn;
  let results: ResultsStandIn;
  let workDir: string;
  let runners: Running[] = [];
  let attempts: StandInAttempt[] = [];
  beforeAll(async () => {
    queueUrl = (await createTestBroker()).url;
    queue = await openQueue(queueUrl, QUEUE_TOPOLOGY, silentLogger);
  }, 180_000);
  afterAll(() => queue.close());
  beforeEach(async () => {
    jobs = await startJobsStandIn();
    results = await startResultsStandIn();
    workDir = await mkdtemp(path.join(tmpdir(), 'tally-runner-'));
    runners = [];
    attempts = [];
  });
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
    await jobs.stop();
    await results.stop();
    for (const { order } of attempts) expect(await strayProcesses(order.attemptId, undefined)).toEqual([]);
    await rm(workDir, { recursive: true });
  });
  return {
    get jobs() {
      return jobs;
    },
    get results() {
      return results;
    },
    get queue() {
      return queue;
    },
    get queueUrl() {
      return queueUrl;
    },
    get workDir() {
      return workDir;
    },
    async startRunner(settings = {}, logger = silentLogger) {
      const addresses = { queueUrl, workDir, jobsAddress: jobs.address, resultsAddress: results.address };
      const runner = await startTestRunner({ ...QUICK, ...addresses, ...settings }, logger);
      runners.push(runner);
      return runner;
    },
    async submit(deck, overrides = {}, headers = {}) {
      const order = orderOf(overrides);
      results.addDeck(order.jobId, deck);
      const attempt = jobs.addAttempt(order);
      attempts.push(attempt);
      const body = messages.TaskQueued.encode(order).finish();
      await queue.publish(TASK_QUEUE, { id: order.attemptId, body, headers });
      return attempt;
    },
    endOf: (attempt, timeoutMs = 60_000) => waitFor(() => attempt.end, { timeoutMs, what: 'the end of the attempt' }),
    async folders() {
      const names = [...(await readdir(path.join(workDir, 'tasks'))), ...(await readdir(path.join(workDir, 'spool')))];
      return [...new Set(names.map((name) => name.split('.')[0] ?? ''))];
    },
    taskFile: ({ order }, name) => path.join(workDir, 'tasks', order.attemptId, name),
  };
}
