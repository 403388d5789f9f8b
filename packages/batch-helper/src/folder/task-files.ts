import { z } from 'zod';
import { defineFile } from './file-format.js';
import { TASK_FILES } from './job-folder.js';

/** Longest text of a failure: the limit of POST /tasks. */
export const FAILURE_CHARS_MAX = 2_000;

const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });

/** `progress.json`: how far a running task is. */
export interface BatchTaskProgress {
  readonly simulatedPrimaries: number;
  /** Remaining, whole seconds; undefined: not known. */
  readonly estimatedSeconds: number | undefined;
  readonly startTime: Date;
}

/** Names and meaning of the members are those of `POST /tasks`. */
export const taskProgressFile = defineFile(
  TASK_FILES.progress,
  4_096,
  z.object({
    simulated_primaries: count,
    estimated_time: count.max(2_147_483_647).nullable(),
    start_time: instant,
  }),
  {
    decode: (wire): BatchTaskProgress => ({
      simulatedPrimaries: wire.simulated_primaries,
      estimatedSeconds: wire.estimated_time ?? undefined,
      startTime: new Date(wire.start_time),
    }),
    encode: (progress) => ({
      simulated_primaries: progress.simulatedPrimaries,
      estimated_time: progress.estimatedSeconds ?? null,
      start_time: progress.startTime.toISOString(),
    }),
  },
);

interface TaskEndFacts {
  readonly simulatedPrimaries: number;
  readonly startTime: Date;
  readonly endTime: Date;
}

/** `end.json`: how a task ended. COMPLETED: its `output.bin` is there and whole. */
export type BatchTaskEnd =
  | (TaskEndFacts & { readonly taskState: 'COMPLETED' })
  | (TaskEndFacts & { readonly taskState: 'FAILED'; readonly failure: string });

const endFacts = { simulated_primaries: count, start_time: instant, end_time: instant };

/** Members as those of `POST /tasks`. */
export const taskEndFile = defineFile(
  TASK_FILES.end,
  64 * 1024,
  z.discriminatedUnion('task_state', [
    z.object({ task_state: z.literal('COMPLETED'), ...endFacts, failure: z.null() }),
    z.object({ task_state: z.literal('FAILED'), ...endFacts, failure: z.string().min(1).max(FAILURE_CHARS_MAX) }),
  ]),
  {
    decode: (wire): BatchTaskEnd => {
      const facts = {
        simulatedPrimaries: wire.simulated_primaries,
        startTime: new Date(wire.start_time),
        endTime: new Date(wire.end_time),
      };
      return wire.task_state === 'COMPLETED'
        ? { taskState: wire.task_state, ...facts }
        : { taskState: wire.task_state, ...facts, failure: wire.failure };
    },
    encode: (end) => {
      const facts = {
        simulated_primaries: end.simulatedPrimaries,
        start_time: end.startTime.toISOString(),
        end_time: end.endTime.toISOString(),
      };
      return end.taskState === 'COMPLETED'
        ? { task_state: end.taskState, ...facts, failure: null }
        : { task_state: end.taskState, ...facts, failure: end.failure };
    },
  },
);

/** `delivered.json`: what the service has of a task. */
export interface Delivered {
  /** Bytes of the log, from its beginning. */
  readonly logBytes: number;
  readonly output: boolean;
  readonly end: boolean;
}

/** What the service has where there is no `delivered.json`, or none that can be read: a repeat is harmless. */
export const NOTHING_DELIVERED: Delivered = { logBytes: 0, output: false, end: false };

export const deliveredFile = defineFile(
  TASK_FILES.delivered,
  4_096,
  z.object({ log_bytes: count, output: z.boolean(), end: z.boolean() }),
  {
    decode: (wire): Delivered => ({ logBytes: wire.log_bytes, output: wire.output, end: wire.end }),
    encode: ({ logBytes, output, end }) => ({ log_bytes: logBytes, output, end }),
  },
);
