import { z } from 'zod';

const commandSchema = z.object({
  executable: z.string(),
  args: z.array(z.string()).readonly(),
  env: z.record(z.string(), z.string()).readonly().optional(),
});
const limitsSchema = z.object({
  timeLimitMs: z.number(),
  memoryBytesMax: z.number(),
  processCountMax: z.number(),
  folderBytesMax: z.number(),
});

/** From the runner. `id` counts commands, so that what is said of an earlier one is known for what it is. */
const toHostSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nonce: z.string() }),
  z.object({ type: z.literal('check'), id: z.number(), executable: z.string() }),
  z.object({
    type: z.literal('launch'),
    id: z.number(),
    command: commandSchema,
    attemptId: z.string(),
    folder: z.string(),
    limits: limitsSchema.optional(),
    lineBytesMax: z.number(),
  }),
  z.object({ type: z.literal('stop'), id: z.number(), graceMs: z.number() }),
]);
export type ToHost = z.infer<typeof toHostSchema>;

const endSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), exitCode: z.number() }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('unstartable'), message: z.string() }),
]);

/** How Node is started there, and the folder with the programs that were put beside the simulators. */
const toolsSchema = z.object({ executable: z.string(), args: z.array(z.string()), folder: z.string() });
export type HostTools = z.infer<typeof toolsSchema>;

/** From the host. */
const toRunnerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nonce: z.string(), tools: toolsSchema }),
  z.object({ type: z.literal('checked'), id: z.number(), fault: z.string().optional() }),
  z.object({
    type: z.literal('limit'),
    id: z.number(),
    name: z.enum(['time-limit', 'memory-limit', 'process-limit', 'output-limit']),
  }),
  z.object({ type: z.literal('fault'), id: z.number(), message: z.string() }),
  z.object({ type: z.literal('usage'), id: z.number(), cpuMs: z.number() }),
  z.object({ type: z.literal('ended'), id: z.number(), end: endSchema }),
]);
export type ToRunner = z.infer<typeof toRunnerSchema>;

/** @throws Error when it is none */
export function parseToHost(text: string): ToHost {
  return toHostSchema.parse(JSON.parse(text));
}

/** @throws Error when it is none */
export function parseToRunner(text: string): ToRunner {
  return toRunnerSchema.parse(JSON.parse(text));
}
