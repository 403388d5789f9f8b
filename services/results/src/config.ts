import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';

export const CONFIG_PREFIX = 'RESULTS';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Settings of results. Every bound on what is taken in, held in memory or done at once is here. */
export const resultsConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...databaseKeys,
  inputBytesMax: {
    type: setting.integer(1, 1024 * MIB),
    default: String(128 * MIB),
    description: 'Largest input of a job, all documents together, bytes',
  },
  inputDocumentsMax: {
    type: setting.integer(1, 100_000),
    default: '1000',
    description: 'Largest number of documents of an input',
  },
  pagesMax: {
    type: setting.integer(1, 100_000),
    default: '1000',
    description: 'Largest number of pages of a task output or of results',
  },
  pageBinsMax: {
    type: setting.integer(1, 64 * MIB),
    default: String(16 * MIB),
    description: 'Largest number of bins of a page',
  },
  axisCentersMax: {
    type: setting.integer(1, 64 * MIB),
    default: String(4 * MIB),
    description:
      'Largest number of bin centres over all axes of all pages of an upload; bins of final results that are only numbered do not count',
  },
  uploadBytesMax: {
    type: setting.integer(1, 64 * 1024 * MIB),
    default: String(1024 * MIB),
    description: 'Largest task output or results, all arrays together, bytes',
  },
  pageMetadataBytesMax: {
    type: setting.integer(0, MIB),
    default: '65536',
    description: 'Longest metadata of a page of results, bytes of JSON text',
  },
  rowBytesMax: {
    type: setting.integer(0, 16 * MIB),
    default: String(256 * KIB),
    description: 'Largest input, task output or results that lie in one row, bytes; larger ones lie in blocks',
  },
  nameCharactersMax: {
    type: setting.integer(1, 10_000),
    default: '256',
    description: 'Longest name of an estimator, page, axis, unit or counter, characters',
  },
  uploadsMax: {
    type: setting.integer(1, 100),
    default: '4',
    description: 'Uploads at once; each holds a database connection, so fewer than RESULTS_DATABASE_CONNECTIONS_MAX',
  },
  uploadTimeoutMs: {
    type: setting.integer(1_000, 86_400_000),
    default: '900000',
    description: 'Longest time an upload may take, milliseconds',
  },
  mergesMax: {
    type: setting.integer(1, 100),
    default: '1',
    description: 'Pages merged at once for readers of running jobs; each holds 2 numbers of 8 bytes per bin',
  },
  mergedCacheBytesMax: {
    type: setting.integer(0, 16 * 1024 * MIB),
    default: String(64 * MIB),
    description: 'Memory for merged pages of running jobs, so that polling does not merge again, bytes',
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
  exportsMax: {
    type: setting.integer(1, 100),
    default: '4',
    description:
      'HDF5 files that are there at once; others wait. Each takes at most RESULTS_EXPORT_BYTES_MAX of the disk',
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
      'S3 bucket for what is larger than RESULTS_ROW_BYTES_MAX, `https://host[:port]/bucket[/prefix]`; empty: the database holds it',
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
  objectStoreTimeoutMs: {
    type: setting.integer(1_000, 600_000),
    default: '30000',
    description: 'Longest time of one request to the bucket, milliseconds',
  },
  objectStoreSweepMs: {
    type: setting.integer(1_000, 86_400_000),
    default: '60000',
    description: 'Between two removals of objects that nothing names any more, milliseconds',
  },
  logBytesMax: {
    type: setting.integer(1 * KIB, 1024 * MIB),
    default: '10000000',
    description: 'Longest log of a task, bytes; the middle of a longer one is cut out',
  },
} as const satisfies ConfigSchema;
export type ResultsConfig = ConfigOf<typeof resultsConfigSchema>;
