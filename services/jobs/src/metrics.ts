import { readFailure } from '@tally/contracts';
import { addReadGauge, Counter, Histogram, type Logger, type Metrics } from '@tally/service-kit';
import type { SweepPorts } from './domain/direct/sweep-leases.js';
import type { ChangeObserver } from './domain/ports.js';
import type { JobRow } from './domain/snapshot.js';

export interface StateCount {
  readonly state: string;
  readonly count: number;
}

export interface MessageCount {
  /** queue: published and not yet claimed; jobs: waits for room in the window. */
  readonly place: string;
  readonly count: number;
}

export interface QueueDepth {
  readonly queue: string;
  readonly count: number;
}

export interface DutyCount {
  readonly kind: string;
  readonly count: number;
}

export interface RunnerCount {
  readonly simulator: string;
  /** Empty: not known. */
  readonly version: string;
  readonly count: number;
}

/** What is counted in the database; the same from every copy of the service. */
export interface Statistics {
  countJobs(): Promise<StateCount[]>;
  /** PENDING and RUNNING only. */
  countOpenTasks(): Promise<StateCount[]>;
  countMessages(): Promise<MessageCount[]>;
  /** Runners that live, of every simulator and version that was ever reported. */
  countRunners(): Promise<RunnerCount[]>;
  /** Tasks that wait for a runner with their simulator, of the version that their job has begun with; empty: any. */
  countParked(): Promise<RunnerCount[]>;
  /** Those that have failed at least once. */
  countDuties(): Promise<DutyCount[]>;
  /** Since the submission of the oldest job with a message that was never published, or not written yet; 0: there is none. */
  oldestMessageSeconds(): Promise<number>;
  /** Since the submission of the job whose task has waited longest for a runner; 0: none waits. */
  oldestPendingSeconds(): Promise<number>;
}

const OPEN_TASK_STATES = ['PENDING', 'RUNNING'];

const bySimulator = ({ simulator, version, count: value }: RunnerCount) => ({ labels: { simulator, version }, value });

/** Adds what is worth watching of jobs; `readDepths` asks the broker, whose exporter has no numbers of single queues. */
export function addJobsMetrics(
  metrics: Metrics,
  statistics: Statistics,
  readDepths: () => Promise<readonly QueueDepth[]>,
): void {
  const byState = (counts: readonly StateCount[]) =>
    counts.map(({ state, count: value }) => ({ labels: { state }, value }));
  addReadGauge(metrics, {
    name: 'tally_jobs',
    help: 'Jobs that exist, by state',
    labelNames: ['state'],
    read: async () => byState(await statistics.countJobs()),
  });
  addReadGauge(metrics, {
    name: 'tally_tasks_open',
    help: 'Tasks that wait for a worker (PENDING) or are in the hands of one (RUNNING)',
    labelNames: ['state'],
    read: async () => {
      const counts = await statistics.countOpenTasks();
      // a state without tasks is 0, not absent: sums and autoscalers need the number
      const none = OPEN_TASK_STATES.filter((state) => !counts.some((count) => count.state === state));
      return byState([...counts, ...none.map((state) => ({ state, count: 0 }))]);
    },
  });
  addReadGauge(metrics, {
    name: 'tally_queue_messages',
    help: 'Messages that wait at the broker by queue; <queue>.dead: those nobody could handle',
    labelNames: ['queue'],
    read: async () => (await readDepths()).map(({ queue, count: value }) => ({ labels: { queue }, value })),
  });
  addReadGauge(metrics, {
    name: 'tally_outbox_messages',
    help: 'Messages not yet claimed, by place: in the queue, or waiting in jobs for room in it',
    labelNames: ['place'],
    read: async () =>
      (await statistics.countMessages()).map(({ place, count: value }) => ({ labels: { place }, value })),
  });
  addReadGauge(metrics, {
    name: 'tally_runners',
    help: 'Runners that live, of every simulator and version that was ever reported; a runner with two simulators counts twice',
    labelNames: ['simulator', 'version'],
    read: async () => (await statistics.countRunners()).map(bySimulator),
  });
  addReadGauge(metrics, {
    name: 'tally_tasks_parked',
    help: 'Tasks that wait for a runner with their simulator, in the version that their job began with; empty: any version',
    labelNames: ['simulator', 'version'],
    read: async () => (await statistics.countParked()).map(bySimulator),
  });
  addReadGauge(metrics, {
    name: 'tally_duties_repeated',
    help: 'What jobs owes and could not do at the first try, by kind: merge, remove (data), submit, cancel, delete (at batch-bridge)',
    labelNames: ['kind'],
    read: async () => (await statistics.countDuties()).map(({ kind, count: value }) => ({ labels: { kind }, value })),
  });
  addReadGauge(metrics, {
    name: 'tally_task_oldest_pending_seconds',
    help: 'Since the submission, or last extension, of the job whose task has waited longest for a runner; 0: none waits',
    labelNames: [],
    read: async () => [{ labels: {}, value: await statistics.oldestPendingSeconds() }],
  });
  addReadGauge(metrics, {
    name: 'tally_outbox_oldest_seconds',
    help: 'Since the submission, or last extension, of the oldest job with a message that was never published',
    labelNames: [],
    read: async () => [{ labels: {}, value: await statistics.oldestMessageSeconds() }],
  });
}

/** Seconds to days. */
const WAIT_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200, 172_800];

/** Measures how long tasks wait and jobs take, and writes a line for each that fails, with the parts of its reason. */
export function addChangeMetrics(metrics: Metrics, logger: Logger): ChangeObserver {
  const registers = [metrics.registry];
  const queued = new Histogram({
    name: 'tally_task_queue_seconds',
    help: 'From the submission of a job, or its last extension, to the first start of each of its tasks',
    labelNames: ['platform'] as const,
    buckets: WAIT_SECONDS,
    registers,
  });
  const taken = new Histogram({
    name: 'tally_job_seconds',
    help: 'From the submission of a job, or its last extension, to its terminal state',
    labelNames: ['platform', 'state'] as const,
    buckets: WAIT_SECONDS,
    registers,
  });
  return ({ tasks, jobs }, before) => {
    const since = ({ startTime, extendedAt }: JobRow) =>
      Math.max(0, before.now.getTime() - (extendedAt ?? startTime).getTime()) / 1000;
    const [jobsBefore, tasksBefore] = [byKey(before.jobs, 'jobKey'), byKey(before.tasks, 'taskKey')];
    for (const task of tasks) {
      const [job, earlier] = [jobsBefore.get(task.jobKey), tasksBefore.get(task.taskKey)];
      if (job === undefined || earlier === undefined) continue;
      if (earlier.startTime === null && task.startTime !== null) {
        queued.observe({ platform: job.platform }, since(job));
      }
      if (task.state === 'FAILED' && earlier.state !== 'FAILED') {
        logger.warn({ job_id: job.jobId, task_id: task.taskId, ...failureFacts(task.failure) }, 'task failed');
      }
    }
    for (const job of jobs) {
      const earlier = jobsBefore.get(job.jobKey);
      if (earlier === undefined || earlier.closedAt !== null || job.closedAt === null) continue;
      taken.observe({ platform: job.platform, state: job.state }, since(job));
      if (job.state === 'FAILED') logger.warn({ job_id: job.jobId, ...failureFacts(job.failure) }, 'job failed');
    }
  };
}

function byKey<Key extends string, Row extends Readonly<Record<Key, bigint>>>(rows: readonly Row[], key: Key) {
  return new Map(rows.map((row) => [row[key], row] as const));
}

function failureFacts(failure: string | null) {
  const { exitCode, isRetryable, ...reason } = readFailure(failure ?? '');
  return { ...reason, exit_code: exitCode, retryable: isRetryable };
}

/** Counts what was lost with its worker. */
export function lossCounter(metrics: Metrics): SweepPorts['onLost'] {
  const lost = new Counter({
    name: 'tally_leases_lost_total',
    help: 'Tasks whose worker was not heard of any more',
    registers: [metrics.registry],
  });
  return () => lost.inc();
}
