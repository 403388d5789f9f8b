import { addReadGauge, Counter, Gauge, type Metrics } from '@tally/service-kit';
import type { Cluster } from './domain/cluster/cluster.js';
import type { WorkerMetrics } from './domain/ports.js';
import type { SshMetrics } from './ssh/ssh-metrics.js';

export interface PhaseCount {
  readonly clusterName: string;
  readonly phase: string;
  readonly count: number;
}

export interface PollAge {
  readonly clusterName: string;
  readonly seconds: number;
}

/** What is counted in the database; the same from every copy of the service. */
export interface Statistics {
  listClusters(): Promise<readonly Cluster[]>;
  /** Submissions that are not cleared. */
  countSubmissions(): Promise<readonly PhaseCount[]>;
  /** Since the scheduler was last asked about the submission that has waited longest for it. */
  pollAges(): Promise<readonly PollAge[]>;
}

/** Adds the metrics of batch-bridge; the result counts what is done on clusters. */
export function addBatchMetrics(metrics: Metrics, statistics: Statistics): SshMetrics & WorkerMetrics {
  addStatistics(metrics, statistics);
  const registers = [metrics.registry];
  const attempts = new Counter({
    name: 'tally_ssh_connections_total',
    help: 'Attempts to connect over SSH, by outcome: ok, or why not',
    labelNames: ['cluster', 'outcome'] as const,
    registers,
  });
  const open = new Gauge({
    name: 'tally_ssh_connections_open',
    help: 'SSH connections that are open',
    labelNames: ['cluster'] as const,
    registers,
  });
  const commands = new Counter({
    name: 'tally_cluster_commands_total',
    help: 'Commands that were run on login nodes, by program and outcome: ok, failed (exit code), or why there is none',
    labelNames: ['cluster', 'command', 'outcome'] as const,
    registers,
  });
  const bytes = new Counter({
    name: 'tally_cluster_bytes_total',
    help: 'Contents of files that were uploaded to clusters, or fetched from there and stored',
    labelNames: ['cluster', 'direction'] as const,
    registers,
  });
  const rounds = new Counter({
    name: 'tally_cluster_rounds_total',
    help: 'Rounds in which a scheduler was asked about all jobs of a user',
    labelNames: ['cluster'] as const,
    registers,
  });
  return {
    connectionAttempted: (cluster, outcome) => attempts.inc({ cluster, outcome }),
    connectionOpened: (cluster) => open.inc({ cluster }),
    connectionClosed: (cluster) => open.dec({ cluster }),
    commandEnded: (cluster, command, outcome) => commands.inc({ cluster, command, outcome }),
    bytesUploaded: (cluster, count) => bytes.inc({ cluster, direction: 'upload' }, count),
    bytesFetched: (cluster, count) => bytes.inc({ cluster, direction: 'fetch' }, count),
    polled: (cluster) => rounds.inc({ cluster }),
  };
}

function addStatistics(metrics: Metrics, statistics: Statistics): void {
  addReadGauge(metrics, {
    name: 'tally_cluster_available',
    help: '1: the cluster answered with a pinned host key at the last check; 0: it did not',
    labelNames: ['cluster', 'reason'],
    read: async () =>
      (await statistics.listClusters()).map(({ settings, availability }) => ({
        labels: { cluster: settings.name, reason: availability.kind === 'unavailable' ? availability.reason : '' },
        value: availability.kind === 'available' ? 1 : 0,
      })),
  });
  addReadGauge(metrics, {
    name: 'tally_submissions',
    help: 'Submissions by phase, but for those that are cleared',
    labelNames: ['cluster', 'phase'],
    read: async () =>
      (await statistics.countSubmissions()).map(({ clusterName: cluster, phase, count }) => ({
        labels: { cluster, phase },
        value: count,
      })),
  });
  addReadGauge(metrics, {
    name: 'tally_poll_age_seconds',
    help: 'Time since the scheduler was last asked about the submitted job that has waited longest for it',
    labelNames: ['cluster'],
    read: async () =>
      (await statistics.pollAges()).map(({ clusterName: cluster, seconds }) => ({
        labels: { cluster },
        value: seconds,
      })),
  });
}
