import type { InputType, SimType } from '@tally/simulators';
import { isVersion } from '@tally/simulators/run';
import { z } from 'zod';
import { defineFile } from './file-format.js';
import { JOB_FILES } from './job-folder.js';

/** What one task runs. */
export interface BatchTaskShare {
  /** Number within the job, from 1. */
  readonly taskId: number;
  readonly primaries: number;
  /** Number within the job of its first history. */
  readonly firstHistory: number;
}

/** How the nodes start the simulator of the job. */
export interface BatchSimulator {
  /** Absolute path on the nodes. */
  readonly executable: string;
  /** Before the arguments that the driver gives. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As results show it; empty: not known. */
  readonly version: string;
}

/** What keeps a simulator from the rest of the node. */
export interface BatchConfinement {
  /** `auto`: bubblewrap where it works on the node, otherwise nothing; `none`: nothing. */
  readonly kind: 'auto' | 'none';
  /** What simulators read there beside the system, and beside what their commands name; absolute paths. */
  readonly readOnlyPaths: readonly string[];
  /** Started before the executable of the cluster, and confines it; `{folder}` is the task's folder. Empty: none. */
  readonly wrapper: readonly string[];
}

/** Times, sizes and counts of a helper. */
export interface HelperLimits {
  /** Threads of the built-in engine. */
  readonly engineThreads: number;
  /** Log of a task: what is longer loses its middle. */
  readonly logBytesMax: number;
  /** Size of /tmp and of /dev/shm of a confined simulator, each; both are memory of its task. */
  readonly temporaryBytesMax: number;
  /** Largest output of a task that is read or kept. */
  readonly outputBytesMax: number;
  /** How often progress is written, and sent where nodes reach the gateway. */
  readonly progressIntervalMs: number;
  /** From SIGTERM to SIGKILL for the simulator. */
  readonly stopGraceMs: number;
  /** How long a task that has ended tries to deliver. */
  readonly deliveryTimeLimitMs: number;
  /** The same for a task that got SIGTERM: less than the scheduler waits before it kills. */
  readonly stoppedDeliveryTimeLimitMs: number;
  /** How long the collect job tries, for each task. */
  readonly collectTimeLimitMs: number;
  /** Tasks that the collect job delivers at once. */
  readonly collectTasksMax: number;
  readonly requestTimeoutMs: number;
  /** How often the scheduler may restart a task whose node was lost, or that was preempted. */
  readonly restartsMax: number;
  /** How long a simulator may tell no progress until it is stopped and started again; 0: as long as it likes. */
  readonly stallLimitMs: number;
  /** How often it is started again for that. */
  readonly stallRetriesMax: number;
  /** First pause after a failed request; doubled each time up to the other. */
  readonly retryPauseMs: number;
  readonly retryPauseMsMax: number;
}

/** Defaults. */
export const HELPER_LIMITS: HelperLimits = {
  engineThreads: 1,
  logBytesMax: 10_000_000,
  temporaryBytesMax: 256 * 1024 * 1024,
  outputBytesMax: 1024 * 1024 * 1024,
  progressIntervalMs: 10_000,
  stopGraceMs: 5_000,
  deliveryTimeLimitMs: 10 * 60_000,
  stoppedDeliveryTimeLimitMs: 15_000,
  collectTimeLimitMs: 30 * 60_000,
  collectTasksMax: 4,
  requestTimeoutMs: 30_000,
  restartsMax: 20,
  stallLimitMs: 0,
  stallRetriesMax: 2,
  retryPauseMs: 1_000,
  retryPauseMsMax: 60_000,
};

/** Where nodes reach the service. */
export interface BatchGateway {
  /** https, or http on the loopback address; paths are put behind it. */
  readonly url: string;
  /** Certificates of authorities to trust instead of Node's own, a PEM file on the nodes, absolute path; null: Node's. */
  readonly caFile: string | null;
}

/** `job.json`: everything a helper must know, but for the update key. */
export interface BatchJob {
  readonly jobId: string;
  readonly simType: SimType;
  readonly inputType: InputType;
  /** Seed of the job, unsigned 64-bit, decimal. */
  readonly seed: string;
  /** All tasks, in ascending number. */
  readonly tasks: readonly BatchTaskShare[];
  /** null: nodes cannot reach it; what they write is fetched. */
  readonly gateway: BatchGateway | null;
  /** null: the built-in engine. */
  readonly simulator: BatchSimulator | null;
  readonly confinement: BatchConfinement;
  readonly limits: HelperLimits;
}

const count = z.int().min(0);
const milliseconds = z
  .int()
  .min(1)
  .max(7 * 86_400_000);
const absolutePath = z.string().max(4_096).regex(/^\/[^\0\n]*$/, 'must be an absolute path'); // biome-ignore format: one line
const argument = z.string().max(4_096).regex(/^[^\0]*$/, 'must not hold NUL'); // biome-ignore format: one line
const simTypes = ['simA', 'simB', 'simC', 'simD'] as const satisfies readonly SimType[];
const inputTypes = ['editor', 'files'] as const satisfies readonly InputType[];

function isGatewayUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false;
  if (url.protocol === 'https:') return true;
  // the update key goes over it
  return url.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

const jobSchema: z.ZodType<BatchJob> = z.object({
  jobId: z.string().regex(/^[A-Za-z0-9-]{1,80}$/),
  simType: z.enum(simTypes),
  inputType: z.enum(inputTypes),
  seed: z.string().regex(/^\d{1,20}$/).refine((text) => BigInt(text) < 2n ** 64n, 'must be an unsigned 64-bit number'), // biome-ignore format: one line
  tasks: z
    .array(z.object({ taskId: z.int().min(1), primaries: z.int().min(1), firstHistory: count }))
    .min(1)
    .max(100_000)
    .refine((tasks) => tasks.every(({ taskId }, i) => taskId > (tasks[i - 1]?.taskId ?? 0)), 'must be in ascending order'), // biome-ignore format: one line
  gateway: z
    .object({
      url: z.string().max(2_000).refine(isGatewayUrl, 'must be an https URL, or http on the loopback address'),
      caFile: absolutePath.nullable(),
    })
    .nullable(),
  simulator: z
    .object({
      executable: absolutePath,
      args: z.array(argument).max(1_000),
      env: z.record(z.string().regex(/^[A-Za-z_]\w{0,127}$/), argument),
      version: z.string().refine(isVersion, 'is no version'),
    })
    .nullable(),
  confinement: z.object({
    kind: z.enum(['auto', 'none']),
    readOnlyPaths: z.array(absolutePath).max(1_000),
    wrapper: z.array(argument).max(100),
  }),
  limits: z.object({
    engineThreads: z.int().min(1).max(1_024),
    logBytesMax: z.int().min(1_000).max(1_000_000_000),
    temporaryBytesMax: z.int().min(1_024),
    outputBytesMax: z.int().min(1),
    progressIntervalMs: milliseconds,
    stopGraceMs: milliseconds,
    deliveryTimeLimitMs: milliseconds,
    stoppedDeliveryTimeLimitMs: milliseconds,
    collectTimeLimitMs: milliseconds,
    collectTasksMax: z.int().min(1).max(64),
    requestTimeoutMs: milliseconds,
    restartsMax: count,
    stallLimitMs: count.max(31 * 86_400_000),
    stallRetriesMax: count,
    retryPauseMs: milliseconds,
    retryPauseMsMax: milliseconds,
  }),
});

const same = (job: BatchJob): BatchJob => job;

/** {@link BatchJob}, written by batch-bridge. */
export const jobFile = defineFile(JOB_FILES.job, 16 * 1024 * 1024, jobSchema, { decode: same, encode: same });
