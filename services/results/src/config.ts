import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';

export const CONFIG_PREFIX = 'RESULTS';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Settings of results: what follows the disk, the memory and the jobs of a site. Bounds that no site needs otherwise are constants
 * in bounds.ts.
 */
export const resultsConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...databaseKeys,
  pageBinsMax: {
    type: setting.integer(1, 64 * MIB),
    default: String(16 * MIB),
    description: 'Largest number of bins of a page',
  },
  uploadBytesMax: {
    type: setting.integer(1, 64 * 1024 * MIB),
    default: String(1024 * MIB),
    description: 'Largest task output or results, all arrays together, bytes',
  },
  workDir: {
    type: z.string().regex(/^(\/.*)?$/, 'must be an absolute path'),
    default: '',
    description:
      'Folder for files that are written before they are sent (HDF5); empty: one in the folder for temporary files',
  },
  exportBytesMax: {
    type: setting.integer(MIB, 1024 * 1024 * MIB),
    default: String(2048 * MIB),
    description: 'Largest HDF5 file, bytes, of its numbers before they are compressed',
  },
  objectStoreUrl: {
    type: z.union([
      z.literal(''),
      z
        .string()
        .regex(
          /^https?:\/\/[^/@?#\s]+\/[^/@?#\s]+(\/[^@?#\s]*)?$/,
          'must be http(s)://host[:port]/bucket[/prefix] without credentials',
        ),
    ]),
    default: '',
    description:
      'S3 bucket for what is larger than 256 KiB, `https://host[:port]/bucket[/prefix]`; empty: the database holds it',
  },
  objectStoreRegion: {
    type: z.string().min(1),
    default: 'us-east-1',
    description: 'Region that requests to the bucket are signed for',
  },
  objectStoreAccessKey: {
    type: z.string(),
    default: '',
    description:
      'Id of the key for the bucket; empty: the one that the SDK of AWS finds on its machine, such as its role',
    secret: true,
  },
  objectStoreSecretKey: { type: z.string(), default: '', description: 'The secret of that key', secret: true },
  logBytesMax: {
    type: setting.integer(1 * KIB, 1024 * MIB),
    default: '10000000',
    description: 'Longest log of a task, bytes; the middle of a longer one is cut out',
  },
} as const satisfies ConfigSchema;
export type ResultsConfig = ConfigOf<typeof resultsConfigSchema>;
