import {
  type ConfigOf,
  type ConfigSchema,
  callerKeys,
  commonKeys,
  databaseKeys,
  serverKeys,
  setting,
} from '@tally/service-kit';
import { parseExecutables } from '@tally/simulators';
import { z } from 'zod';
import type { JobsBounds } from './bounds.js';
import { readNetworks } from './clients/webhook-target.js';
import { BUILT_IN_ENGINE_SETTINGS } from './domain/submit/built-in-engine.js';

export const CONFIG_PREFIX = 'JOBS';

const secretText = z.union([z.literal(''), z.string().min(32)]);

/**
 * Settings of jobs: limits of a submission, quotas, the queue window, leases, secrets of update keys. Bounds that no site needs otherwise
 * are in bounds.ts.
 */
export const jobsConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...callerKeys,
  ...databaseKeys,
  resultsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of results' },
  authAddress: {
    type: setting.text,
    default: '',
    description: 'host:port (or gRPC target) of auth, which sends mail; empty: nobody is told anything by mail',
  },
  batchBridgeAddress: {
    type: setting.text,
    default: '',
    description: 'host:port (or gRPC target) of batch-bridge; empty: this deployment has no batch platform',
  },
  queueUrl: {
    type: setting.nonEmpty,
    description: 'amqp:// URL of RabbitMQ, or postgresql:// URL of the queue that replaces it in the demo',
    secret: true,
  },
  simulators: {
    type: z.string().transform((text, context) => {
      const executables = parseExecutables(text);
      if (executables === undefined) context.addIssue('must be a list like simA=1.0.1,simB');
      return executables ?? z.NEVER;
    }),
    default: '',
    description:
      'Simulators that runners have, with versions, in place of what they ever reported: simA=1.0.1,simB; empty: what they reported',
  },
  builtInEngine: {
    type: z.enum(BUILT_IN_ENGINE_SETTINGS),
    default: 'auto',
    description:
      'What becomes of submissions for a simulator that is not installed: refuse, or let the built-in engine compute it, and warn or allow; auto: refuse where any simulator is or ever was installed, else warn',
  },
  ntasksMax: {
    type: setting.integer(1, 100_000),
    default: '1000',
    description: 'Largest number of tasks of a job',
  },
  simDataBytesMax: {
    type: setting.integer(1_000, 1_000_000_000),
    default: '50000000',
    description: 'Largest sim_data, bytes of JSON text',
  },
  jobTasksMax: {
    type: setting.integer(1, 1_000_000),
    default: '10000',
    description: 'Tasks of a job in all, with those that it was given later, at most',
  },
  shareLinkDaysMax: {
    type: setting.integer(0, 3_660),
    default: '90',
    description:
      'Longest life of a share link of a job or project, days; 0: no links can be made, and those that there are go on',
  },
  openJobsPerUserMax: {
    type: setting.integer(0, 1_000_000),
    default: '1000',
    description: 'Jobs of a user that have not ended, at most; one more is refused (429); 0: no bound',
  },
  openTasksPerUserMax: {
    type: setting.integer(0, 100_000_000),
    default: '50000',
    description: 'Tasks of these that have not ended, at most; 0: no bound',
  },
  queuedPrimariesPerUserMax: {
    type: setting.integer(0, Number.MAX_SAFE_INTEGER),
    default: '10000000000000',
    description: 'Primaries of those tasks that have not begun, at most; 0: no bound',
  },
  runningTasksPerUserMax: {
    type: setting.integer(0, 1_000_000),
    default: '0',
    description: 'Tasks of a user that runners have at a time, at most; the others wait. 0: as many as there are slots',
  },
  storedBytesPerUserMax: {
    type: setting.integer(0, Number.MAX_SAFE_INTEGER),
    default: '1000000000000',
    description:
      'Inputs, outputs of tasks, results and logs of a user, as they are stored, from which on his submissions are refused (429), bytes; what runs is stored all the same. 0: no bound',
  },
  projectsPerUserMax: {
    type: setting.integer(0, 1_000_000),
    default: '1000',
    description: 'Projects that a user keeps, at most; one more is refused (429). 0: no bound',
  },
  projectBytesPerUserMax: {
    type: setting.integer(0, Number.MAX_SAFE_INTEGER),
    default: '1000000000',
    description: 'All revisions of these with their pictures, as they are stored, at most, bytes. 0: no bound',
  },
  conversionsAtOnceMax: {
    type: setting.integer(1, 64),
    default: '1',
    description: 'Large projects that are converted at once, on threads, so that others do not wait for it',
  },
  dispatchWindowTasks: {
    type: setting.integer(1, 10_000),
    default: '4',
    description:
      'Largest number of unclaimed tasks in the queue; the others wait their turn, user by user. A user who comes late waits for so many tasks of others to start',
  },
  leaseMs: {
    type: setting.integer(100, 600_000),
    default: '15000',
    description: 'A worker that is silent for this long is lost, milliseconds',
  },
  heartbeatMs: {
    type: setting.integer(20, 600_000),
    default: '2000',
    description: 'How often a worker reports, milliseconds',
  },
  attemptsMax: {
    type: setting.integer(1, 20),
    default: '3',
    description: 'Attempts of a task or a merge that may fail or get lost before it fails for good',
  },
  workerLeaseMs: {
    type: setting.integer(100, 604_800_000),
    default: '3600000',
    description:
      'A worker that reports over HTTP and is silent for this long is lost; so long a job also waits for results after a failure without a reason, milliseconds',
  },
  webhooksEnabled: {
    type: setting.boolean,
    default: 'false',
    description:
      'Whether users may be told by webhooks; needs JOBS_UPDATE_KEY_MASTER, under which their secrets are sealed',
  },
  webhookNetworks: {
    type: setting.list.transform((texts, ctx) => {
      try {
        return readNetworks(texts);
      } catch (err) {
        ctx.addIssue({ code: 'custom', message: err instanceof Error ? err.message : String(err) });
        return z.NEVER;
      }
    }),
    default: '',
    description:
      'Networks that webhooks may reach although they are not of the internet, comma-separated, such as 10.1.0.0/16,fd00:1::/32',
  },
  updateKeyMaster: {
    type: secretText,
    default: '',
    description: 'What the update keys of jobs are derived from, at least 32 characters; empty: no such keys',
    secret: true,
  },
  updateKeyMasterBefore: {
    type: secretText,
    default: '',
    description: 'The master before this one, while it is replaced: its update keys are still accepted; empty: none',
    secret: true,
  },
  updateKeyShared: {
    type: secretText,
    default: '',
    description: 'One update key for all jobs, at least 32 characters; empty: off',
    secret: true,
  },
  updateKeyHours: {
    type: setting.integer(1, 8_760),
    default: '24',
    description: 'How long the update key of a job is valid after its end, hours',
  },
  eventRetentionMs: {
    type: setting.integer(1_000, 2_592_000_000),
    default: '86400000',
    description: 'How long events of jobs are kept for who resumes a stream, milliseconds',
  },
} as const satisfies ConfigSchema;

export type JobsSettings = ConfigOf<typeof jobsConfigSchema>;
/** With the bounds that no site sets. */
export type JobsConfig = JobsSettings & JobsBounds;
