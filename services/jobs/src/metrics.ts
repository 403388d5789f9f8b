import { addReadGauge, Counter, type Metrics } from '@tally/service-kit';
import type { SweepPorts } from './domain/direct/sweep-leases.js';

export interface StateCount {
  readonly state: string;
  readonly count: number;
}

export interface MessageCount {
  /** task or merge. */
  readonly kind: string;
  /** queue: published and not yet claimed; jobs: waits for room in the window. */
  readonly place: string;
  readonly count: number;
}

export interface BridgeCommandCount {
  /** submit, cancel or delete. */
  readonly kind: string;
  readonly count: number;
}

/** What is counted in the database; the same from every copy of the service. */
export interface Statistics {
  countJobs(): Promise<StateCount[]>;
  /** PENDING and RUNNING only. */
  countOpenTasks(): Promise<StateCount[]>;
  countMessages(): Promise<MessageCount[]>;
  /** Those that batch-bridge has been told of at least once and has not stored yet. */
  countBridgeCommands(): Promise<BridgeCommandCount[]>;
  /** Since the submission of the oldest job with a message that was never published; 0: there is none. */
  oldestMessageSeconds(): Promise<number>;
}

/** Adds what is worth watching of jobs. */
export function addJobsMetrics(metrics: Metrics, statistics: Statistics): void {
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
    read: async () => byState(await statistics.countOpenTasks()),
  });
  addReadGauge(metrics, {
    name: 'tally_outbox_messages',
    help: 'Messages not yet claimed, by kind and place: in the queue, or waiting in jobs for room in it',
    labelNames: ['kind', 'place'],
    read: async () =>
      (await statistics.countMessages()).map(({ kind, place, count: value }) => ({ labels: { kind, place }, value })),
  });
  addReadGauge(metrics, {
    name: 'tally_errands',
    help: 'Commands that batch-bridge did not take at the first try, by kind: submit, cancel or delete',
    labelNames: ['kind'],
    read: async () =>
      (await statistics.countBridgeCommands()).map(({ kind, count: value }) => ({ labels: { kind }, value })),
  });
  addReadGauge(metrics, {
    name: 'tally_outbox_oldest_seconds',
    help: 'Since the submission of the oldest job with a message that was never published',
    labelNames: [],
    read: async () => [{ labels: {}, value: await statistics.oldestMessageSeconds() }],
  });
}

/** Counts what was lost with its worker. */
export function lossCounter(metrics: Metrics): SweepPorts['onLost'] {
  const lost = new Counter({
    name: 'tally_leases_lost_total',
    help: 'Tasks and merges whose worker was not heard of any more',
    labelNames: ['kind'] as const,
    registers: [metrics.registry],
  });
  return (kind) => lost.inc({ kind });
}
