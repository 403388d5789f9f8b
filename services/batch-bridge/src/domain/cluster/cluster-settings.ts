import { isVersion, SIM_TYPES } from '@tally/simulators/run';
import { z } from 'zod';
import type { ClusterSettings } from './cluster.js';

const WALL_TIME_SECONDS_MAX = 366 * 86_400;
const ABSOLUTE_PATH = /^(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/;
const SCRATCH_FOLDER = /^(?:\/(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|\{user\}))+$/;
/** Types that ssh/host-keys.ts can pin. */
const HOST_KEY = /^(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]{20,}=*$/;

const partition = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/),
  wallTimeSecondsMax: z.number().int().min(60).max(WALL_TIME_SECONDS_MAX),
  memoryMibMax: z.number().int().min(64),
});

const argument = z.string().max(1_000).regex(/^\P{Cc}*$/u); // biome-ignore format: one line
const absolutePath = z.string().regex(ABSOLUTE_PATH, 'must be an absolute path of letters, digits, and _ . -');

const simulator = z.strictObject({
  executable: z.string().regex(ABSOLUTE_PATH),
  args: z.array(argument).default([]),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_]\w{0,127}$/),
      z
        .string()
        .max(4_096)
        .regex(/^\P{Cc}*$/u),
    )
    .default({}),
  version: z.string().refine(isVersion, 'is no version').default(''),
});

/** Parses a cluster of the configuration, or of the database. */
export const clusterSettings = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  displayName: z.string().min(1).max(128),
  host: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$/),
  port: z.number().int().min(1).max(65_535).default(22),
  hostKeys: z.array(z.string().regex(HOST_KEY, 'must be "<type> <base64>" as in known_hosts')).min(1),
  scheduler: z.literal('slurm').default('slurm'),
  scratchFolder: z.string().regex(SCRATCH_FOLDER, 'must be absolute; {user} stands for the login name'),
  partitions: z.array(partition).min(1),
  arrayTasksMax: z.number().int().min(1).max(1_000_000).default(1000),
  nodeProgram: z.string().regex(ABSOLUTE_PATH).nullable().default(null),
  isReachingGateway: z.boolean().default(false),
  gatewayCaFile: z.string().regex(ABSOLUTE_PATH).nullable().default(null),
  confinement: z.enum(['auto', 'none'], 'must be auto or none').default('auto'),
  readOnlyPaths: z.array(absolutePath).max(1_000).default([]),
  wrapper: z
    .array(argument)
    .max(100)
    .refine(([program = '/x']) => ABSOLUTE_PATH.test(program), 'must begin with the absolute path of a program')
    .default([]),
  simulators: z.partialRecord(z.enum(SIM_TYPES), simulator).default({}),
}) satisfies z.ZodType<ClusterSettings>;
