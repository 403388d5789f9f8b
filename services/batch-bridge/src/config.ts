import {
  type ConfigOf,
  type ConfigSchema,
  callerKeys,
  commonKeys,
  databaseKeys,
  serverKeys,
  setting,
} from '@tally/service-kit';
import { z } from 'zod';
import type { ClusterSettings } from './domain/cluster/cluster.js';
import { clusterSettings } from './domain/cluster/cluster-settings.js';

export const CONFIG_PREFIX = 'BATCH';

const clusters = z.string().transform((text, ctx): readonly ClusterSettings[] => {
  const wrong = (message: string): never => {
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('is not JSON');
  }
  const parsed = clusterSettings.array().safeParse(value);
  if (!parsed.success) {
    return wrong(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
  }
  const names = parsed.data.map(({ name }) => name);
  return new Set(names).size === names.length ? parsed.data : wrong('names a cluster twice');
});

const gatewayUrl = z
  .union([z.literal(''), z.url({ protocol: /^https?$/ })])
  .transform((text) => (text === '' ? null : text.replace(/\/+$/, '')));

/** SSH connections, commands and transfers. */
const connectionKeys = {
  connectTimeoutMs: {
    type: setting.integer(500, 120_000),
    default: '15000',
    description: 'Longest time from the first packet to a cluster to the finished SSH login, milliseconds',
  },
  keepaliveMs: {
    type: setting.integer(1_000, 600_000),
    default: '15000',
    description:
      'Time between two keepalive probes of a silent cluster; three unanswered ones end the connection, milliseconds',
  },
  channelsMax: {
    type: setting.integer(1, 64),
    default: '4',
    description: "Commands and transfers at once on a connection; below MaxSessions of the clusters' sshd, usually 10",
  },
  commandTimeoutMs: {
    type: setting.integer(1_000, 600_000),
    default: '30000',
    description: 'Longest command on a cluster, milliseconds; squeue takes 18 s when its controller is dead',
  },
  outputBytesMax: {
    type: setting.integer(10_000, 1_000_000_000),
    default: '16000000',
    description: 'Largest output of a command on a cluster, bytes; a task in squeue takes about 150',
  },
  uploadTimeoutMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '300000',
    description: 'Longest upload of a file, milliseconds; the largest is the Node.js program, about 100 MB',
  },
  idleMs: {
    type: setting.integer(1_000, 86_400_000),
    default: '180000',
    description: 'A connection without work for this long is closed, milliseconds; longer than the poll interval',
  },
  failureCountMax: {
    type: setting.integer(1, 100),
    default: '3',
    description: 'Failed connections to a cluster in a row after which none is tried for a while',
  },
  pauseFirstMs: {
    type: setting.integer(10, 3_600_000),
    default: '5000',
    description: 'First pause after failed connections, milliseconds; doubles with each further failure',
  },
  pauseMaxMs: {
    type: setting.integer(10, 86_400_000),
    default: '300000',
    description: 'Longest pause after failed connections, milliseconds',
  },
} as const satisfies ConfigSchema;

/** How jobs are submitted, observed and removed. */
const workKeys = {
  leaseMs: {
    type: setting.integer(500, 3_600_000),
    default: '30000',
    description: 'How long a copy of the service that stopped answering keeps a cluster from the others, milliseconds',
  },
  roundMs: {
    type: setting.integer(20, 600_000),
    default: '1000',
    description: 'How often the worker of a cluster asks the database for what is due, milliseconds',
  },
  usersAtOnceMax: {
    type: setting.integer(1, 1_000),
    default: '8',
    description: 'Users of a cluster for whom something is done on it at once; each has one connection',
  },
  retryFirstMs: {
    type: setting.integer(10, 3_600_000),
    default: '5000',
    description: 'First pause before a failed step is retried, milliseconds; doubles each time',
  },
  retryMaxMs: {
    type: setting.integer(10, 86_400_000),
    default: '300000',
    description: 'Longest pause before a failed step is retried, milliseconds',
  },
  waitHoursMax: {
    type: setting.integer(1, 8_760),
    default: '72',
    description: 'A job that cannot be submitted for this long fails, hours',
  },
  markerGraceMs: {
    type: setting.integer(100, 3_600_000),
    default: '30000',
    description:
      'How long the scheduler may not show a job whose sbatch got no answer before it is called again, milliseconds',
  },
  pollIntervalMs: {
    type: setting.integer(100, 3_600_000),
    default: '60000',
    description: 'Time between two polls of the scheduler for the jobs of a user, milliseconds',
  },
  lostAfterMs: {
    type: setting.integer(100, 86_400_000),
    default: '600000',
    description: 'A job that the scheduler answers for, but has not shown for this long, is lost, milliseconds',
  },
  warningSeconds: {
    type: setting.integer(0, 3_600),
    default: '90',
    description:
      'Time before its limit at which a task gets SIGTERM to save what it has, seconds; the scheduler may be early',
  },
  progressIntervalMs: {
    type: setting.integer(100, 3_600_000),
    default: '10000',
    description: 'How often a running task on a cluster reports its progress, milliseconds',
  },
  taskStallLimitMs: {
    type: setting.integer(0, 31 * 86_400_000),
    default: '0',
    description:
      'How long a simulator on a cluster may tell no progress until it is stopped and started again, milliseconds; 0: as long as it likes',
  },
  taskStallRetriesMax: {
    type: setting.integer(0, 100),
    default: '2',
    description: 'How often a simulator is started again in a task that told no progress; then the task has failed',
  },
  collectWallTimeSeconds: {
    type: setting.integer(60, 86_400),
    default: '3600',
    description: 'Time limit of the collect job, seconds',
  },
  collectMemoryMib: {
    type: setting.integer(64, 1_000_000),
    default: '1024',
    description: 'Memory of the collect job, MiB',
  },
  helperFile: {
    type: setting.text,
    default: '',
    description: 'Path of the program that runs on nodes; empty: the one of this release',
  },
  deckBytesMax: {
    type: setting.integer(1_000, 256_000_000),
    default: '64000000',
    description: 'Largest deck that is uploaded to a cluster, bytes',
  },
  folderKeepHours: {
    type: setting.integer(0, 8_760),
    default: '72',
    description: 'How long the folder of an ended job is kept on its cluster, hours',
  },
  forgetAfterDays: {
    type: setting.integer(1, 3_650),
    default: '30',
    description: 'How long the record of a job is kept after its folder was removed, or it was revoked, days',
  },
} as const satisfies ConfigSchema;

/** How submitted jobs are observed, and what tasks have written is fetched. */
const observationKeys = {
  stuckHoursMax: {
    type: setting.integer(0, 8_760),
    default: '24',
    description:
      'A task that the scheduler holds for a reason that will not pass is canceled and failed after this, hours',
  },
  cancelRepeatMs: {
    type: setting.integer(100, 86_400_000),
    default: '120000',
    description:
      'A cancel on a cluster that has not worked after this is sent again, milliseconds; tasks may take a while to end',
  },
  failureGraceMs: {
    type: setting.integer(0, 3_600_000),
    default: '60000',
    description:
      'Time between a failure that the scheduler shows and its report, milliseconds: what the task wrote last may reach the login node late (NFS)',
  },
  fetchTimeMs: {
    type: setting.integer(100, 3_600_000),
    default: '60000',
    description: 'How long one round fetches files for one user; the next round continues, milliseconds',
  },
  fetchTasksMax: {
    type: setting.integer(1, 64),
    default: '4',
    description: 'Tasks of a job whose files are fetched at once',
  },
  fetchHoursMax: {
    type: setting.integer(1, 8_760),
    default: '24',
    description: 'What cannot be fetched for this long after the end of a job on its cluster is given up, hours',
  },
  taskLogBytesMax: {
    type: setting.integer(1_000, 1_000_000_000),
    default: '16000000',
    description: 'Of a longer log of a task only so many bytes are fetched',
  },
  taskOutputBytesMax: {
    type: setting.integer(1_000, 64 * 1024 ** 3),
    default: String(1024 ** 3),
    description: 'Largest output of a task that is fetched, bytes; results has a limit of its own',
  },
} as const satisfies ConfigSchema;

/** Settings of batch-bridge: the services that it calls, the clusters, how they are reached, and how jobs are run there. */
export const batchBridgeConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...callerKeys,
  ...databaseKeys,
  jobsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of jobs' },
  resultsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of results' },
  authAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of auth' },
  gatewayUrl: {
    type: gatewayUrl,
    default: '',
    description: 'Address at which nodes of clusters reach the gateway; empty: none does, what they write is fetched',
  },
  clusters: {
    type: clusters,
    default: '[]',
    description: 'The clusters, a JSON array in the order users see; the README describes an entry',
  },
  defaultCluster: {
    type: setting.text,
    default: '',
    description: 'Name of the cluster of submissions that name none; empty: the first',
  },
  checkIntervalMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '60000',
    description: 'Time between two checks whether a cluster answers, milliseconds',
  },
  ...connectionKeys,
  ...workKeys,
  ...observationKeys,
} as const satisfies ConfigSchema;
export type BatchBridgeConfig = ConfigOf<typeof batchBridgeConfigSchema>;
