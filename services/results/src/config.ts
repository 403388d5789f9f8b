import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';

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
    description: 'Largest number of bin centres over all axes of all pages of an upload',
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
  logBytesMax: {
    type: setting.integer(1 * KIB, 1024 * MIB),
    default: '10000000',
    description: 'Longest log of a task, bytes; the middle of a longer one is cut out',
  },
} as const satisfies ConfigSchema;
export type ResultsConfig = ConfigOf<typeof resultsConfigSchema>;
