import { availableParallelism } from 'node:os';
import { type ConfigOf, type ConfigSchema, callerKeys, commonKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';
import { simulatorsSettings } from './simulator-settings.js';

export const CONFIG_PREFIX = 'RUNNER';

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/**
 * Settings of direct-runner. It answers health checks only, so it knows no callers. Bounds that no site needs otherwise are in bounds.ts,
 * or beside their use.
 */
export const runnerConfigSchema = {
  ...commonKeys,
  listenAddress: { ...serverKeys.listenAddress, description: 'host:port of the gRPC health checks' },
  ...callerKeys,
  queueUrl: {
    type: z.string().min(1),
    description: 'URL of the queue: amqp://, amqps:// or (not for production) postgresql://',
    secret: true,
  },
  jobsAddress: { type: setting.nonEmpty, description: 'host:port of the jobs service' },
  resultsAddress: { type: setting.nonEmpty, description: 'host:port of the results service' },
  id: {
    type: setting.text,
    default: '',
    description: 'Name shown to jobs, unique among runners; empty: host name and a random part',
  },
  workDir: {
    type: z.string().startsWith('/', 'must be an absolute path'),
    description: 'Folder for decks, outputs and the spool; one per runner, kept over restarts',
  },
  workDirFreeBytesMin: {
    type: setting.integer(0, Number.MAX_SAFE_INTEGER),
    default: String(256 * 1024 * 1024),
    description: 'Room on the disk of the working folder below which no task is taken, bytes',
  },
  slots: {
    type: z.union([z.literal('').transform(() => availableParallelism()), setting.integer(1, 1024)]),
    default: '',
    description: 'Tasks run at once; empty: the number of cores',
  },
  drainMs: {
    type: setting.integer(0, 24 * DAY_MS),
    default: '0',
    description:
      'How long a stop lets running tasks go on before it hands them back, milliseconds; 0: hands them back at once',
  },
  prefetchMax: {
    type: z.union([z.literal('').transform(() => undefined), setting.integer(0, 1024)]),
    default: '',
    description:
      'Tasks that are claimed before a slot is free, while tasks are short; 0: none; empty: twice the number of slots',
  },
  engineThreads: {
    type: setting.integer(1, 1024),
    default: '1',
    description: 'Threads of the built-in engine in each task',
  },
  engineCommand: {
    type: z.union([z.literal(''), z.string().startsWith('/', 'must be an absolute path')]),
    default: '',
    description: 'Script to run instead of the built-in engine, absolute path, same command line; empty: built-in',
  },
  simulators: {
    type: setting.json(simulatorsSettings),
    default: '{}',
    description:
      'Executables of simA, simB, simC and simD, a JSON object; docs/simulators.md describes an entry. The runner takes no tasks of those that are missing or cannot be started',
  },
  processNiceness: {
    type: setting.integer(0, 19),
    default: '19',
    description: 'Niceness of simulators, so that services on the same machine stay quick, logins among them',
  },
  taskStallLimitMs: {
    type: setting.integer(0, 31 * 86_400_000),
    default: '0',
    description:
      'How long a simulator may tell no progress until it is stopped and the task tried again, milliseconds; 0: as long as it likes',
  },
  taskTimeLimitMs: {
    type: setting.integer(100, 24 * DAY_MS),
    default: String(DAY_MS),
    description: 'Wall time after which a simulator is stopped and its task fails, milliseconds',
  },
  confinement: {
    type: z.enum(['auto', 'bubblewrap', 'container', 'none']),
    default: 'auto',
    description:
      "What keeps simulators from the rest of the machine: bubblewrap, container (RUNNER_HOST_CONTROL_DIR), or none; auto: bubblewrap where it works, else none, and then users' own files are never given to an executable",
  },
  hostControlDir: {
    type: z.union([z.literal(''), z.string().startsWith('/', 'must be an absolute path')]),
    default: '',
    description:
      'With RUNNER_CONFINEMENT=container: folder shared with the simulator host, which must see it read-only, absolute path; it also needs the folder tasks of RUNNER_WORK_DIR, at the same path',
  },
  allowUnconfinedFiles: {
    type: setting.boolean,
    default: 'false',
    description:
      "Whether executables read users' own files with RUNNER_CONFINEMENT=none: they can run any program as this user",
  },
  taskTemporaryBytesMax: {
    type: setting.integer(1024, 1024 * GIB),
    default: String(GIB / 4),
    description: "A task's /tmp with bubblewrap, and its /dev/shm: memory beside its processes', bytes each",
  },
  taskProcessesMax: {
    type: setting.integer(1, 4_194_304),
    default: '512',
    description: 'Processes and threads of a task above which it fails',
  },
  taskMemoryBytesMax: {
    type: setting.integer(1, Number.MAX_SAFE_INTEGER),
    default: String(4 * GIB),
    description: "Resident memory of a task's processes above which it fails, bytes",
  },
  taskOutputBytesMax: {
    type: setting.integer(1, 2 * GIB),
    default: String(GIB / 2),
    description: "Size of a task's folder above which it fails, bytes",
  },
  logBytesMax: {
    type: setting.integer(1024, GIB),
    default: String(8 * 1024 * 1024),
    description: 'Log of one task; more is cut out of the middle, bytes',
  },
  deliveryTimeLimitMs: {
    type: setting.integer(1_000, 24 * DAY_MS),
    default: String(DAY_MS),
    description: 'How long an output that results or jobs do not take is kept and sent again, milliseconds',
  },
  deckBytesMax: {
    type: setting.integer(1024, GIB),
    default: String(64 * 1024 * 1024),
    description: 'Largest deck that is taken, bytes',
  },
} as const satisfies ConfigSchema;
export type RunnerConfig = ConfigOf<typeof runnerConfigSchema>;
