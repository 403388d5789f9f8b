import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';
import type { ClusterSettings } from './domain/cluster.js';
import { clusterSettings } from './domain/cluster-settings.js';

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

/** Settings of batch-bridge: the clusters, and how often they are looked at. */
export const batchBridgeConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...databaseKeys,
  clusters: {
    type: clusters,
    default: '[]',
    description: 'The clusters, a JSON array in the order users see; the README describes an entry',
  },
  checkIntervalMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '60000',
    description: 'Time between two looks at whether a cluster answers, milliseconds',
  },
  connectTimeoutMs: {
    type: setting.integer(500, 120_000),
    default: '15000',
    description: 'Longest time from the first packet to a cluster to the finished SSH login, milliseconds',
  },
  keepaliveMs: {
    type: setting.integer(1_000, 600_000),
    default: '15000',
    description: 'Time between two signs of life asked of a silent cluster; three unanswered end it, milliseconds',
  },
} as const satisfies ConfigSchema;
export type BatchBridgeConfig = ConfigOf<typeof batchBridgeConfigSchema>;
