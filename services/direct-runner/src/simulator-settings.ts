import { isVersion, SIM_TYPES } from '@tally/simulators/run';
import { z } from 'zod';

const absolutePath = z.string().startsWith('/', 'must be an absolute path');
const DAY_MS = 86_400_000;

const regularExpression = z.string().transform((text, context) => {
  try {
    return new RegExp(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a regular expression' });
    return z.NEVER;
  }
});

/** How this machine runs a simulator's own executable. */
export const simulatorSettings = z.strictObject({
  executable: absolutePath,
  /** Before those that the runner gives. */
  args: z.array(z.string()).default([]),
  /** Beside the runner's own for simulators. */
  env: z.record(z.string().regex(/^\w+$/, 'must be the name of a variable'), z.string()).default({}),
  /** Folders and files that it reads beside the system's own and its executable's folder; others are hidden from it. */
  readOnlyPaths: z.array(absolutePath).default([]),
  /** As results show it; empty: the executable is asked. */
  version: z.string().refine(isVersion, 'must be a version').default(''),
  /** Behind the others, with which it says its version. */
  versionArgs: z.array(z.string()).optional(),
  /** Its first group is the version in what it prints then. */
  versionPattern: regularExpression.optional(),
  /** Wall time of a task; absent: the one of all tasks. */
  timeLimitMs: z
    .int()
    .min(100)
    .max(24 * DAY_MS)
    .optional(),
  /** Resident memory of a task; absent: the one of all tasks. */
  memoryBytesMax: z.int().min(1).optional(),
});

/** By simulator. */
export const simulatorsSettings = z.partialRecord(z.enum(SIM_TYPES), simulatorSettings);
export type SimulatorsSettings = z.output<typeof simulatorsSettings>;
