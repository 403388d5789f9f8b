import { type Clock, type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import { testCallers, testCallerToken } from '@tally/testkit';
import { CONFIG_PREFIX, type JobsConfig, jobsConfigSchema } from '../src/config.js';
import { startJobs } from '../src/service.js';

/** Folder of the migrations, from the root of the checkout, for createTestDatabase. */
export const JOBS_MIGRATIONS = 'services/jobs/prisma/migrations';

/** From it and a job's id comes the job's update key: `deriveUpdateKey(TEST_UPDATE_KEY_MASTER, jobId)`. */
export const TEST_UPDATE_KEY_MASTER = 'master of the update keys in tests';

export { deriveUpdateKey } from '../src/domain/worker/update-key.js';

/** What a test must say. */
export type RequiredJobsSettings = Pick<JobsConfig, 'databaseUrl' | 'queueUrl' | 'resultsAddress'>;

/** Starts jobs in this process with its defaults, the test callers and the given settings and bounds. */
export function startTestJobs(
  overrides: RequiredJobsSettings & Partial<JobsConfig>,
  logger: Logger = silentLogger,
  clock?: Clock,
) {
  const environment = {
    JOBS_CALLER_TOKEN: testCallerToken('jobs'),
    JOBS_DATABASE_URL: overrides.databaseUrl,
    JOBS_QUEUE_URL: overrides.queueUrl,
    JOBS_RESULTS_ADDRESS: overrides.resultsAddress,
    JOBS_UPDATE_KEY_MASTER: TEST_UPDATE_KEY_MASTER,
    JOBS_BUILT_IN_ENGINE: 'allow', // without executables, and without a warning in every answer
  };
  const defaults = loadConfig(CONFIG_PREFIX, jobsConfigSchema, environment);
  const callers = testCallers('gateway', 'direct-runner', 'results', 'batch-bridge');
  return startJobs({ ...defaults, callers, ...overrides }, logger, clock);
}
