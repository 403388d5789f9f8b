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
  commandTimeoutMs: {
    type: setting.integer(1_000, 600_000),
    default: '30000',
    description: 'Longest command on a cluster, milliseconds; squeue takes 18 s when its controller is dead',
  },
} as const satisfies ConfigSchema;

/** How jobs are submitted, observed and removed. */
const workKeys = {
  usersAtOnceMax: {
    type: setting.integer(1, 1_000),
    default: '8',
    description: 'Users of a cluster for whom something is done on it at once; each has one connection',
  },
  waitHoursMax: {
    type: setting.integer(1, 8_760),
    default: '72',
    description: 'A job that cannot be submitted for this long fails, hours',
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
  taskStallLimitMs: {
    type: setting.integer(0, 31 * 86_400_000),
    default: '0',
    description:
      'How long a simulator on a cluster may tell no progress until it is stopped and started again, milliseconds; 0: as long as it likes',
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
  ...connectionKeys,
  ...workKeys,
  ...observationKeys,
} as const satisfies ConfigSchema;
export type BatchBridgeConfig = ConfigOf<typeof batchBridgeConfigSchema>;
