import { nodeHost } from '@tally/launcher';
import { type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import { testCallerToken } from '@tally/testkit';
import type { RunnerBounds } from '../src/bounds.js';
import { CONFIG_PREFIX, type RunnerConfig, runnerConfigSchema } from '../src/config.js';
import { startDirectRunner } from '../src/service.js';

/** What a test must say: where the others are, and a folder of its own. */
type Required = Pick<RunnerConfig, 'queueUrl' | 'jobsAddress' | 'resultsAddress' | 'workDir'>;

/**
 * Starts a runner in this process with its defaults and the given settings and bounds. Processes are started by Node: the runner's
 * own way waits for all children of the process that it is in.
 */
export function startTestRunner(
  overrides: Required & Partial<RunnerConfig & RunnerBounds>,
  logger: Logger = silentLogger,
) {
  const required = {
    RUNNER_QUEUE_URL: overrides.queueUrl,
    RUNNER_JOBS_ADDRESS: overrides.jobsAddress,
    RUNNER_RESULTS_ADDRESS: overrides.resultsAddress,
    RUNNER_WORK_DIR: overrides.workDir,
    RUNNER_CALLER_TOKEN: testCallerToken('direct-runner'),
  };
  const config = { ...loadConfig(CONFIG_PREFIX, runnerConfigSchema, required), ...overrides };
  return startDirectRunner(config, logger, { host: nodeHost });
}
