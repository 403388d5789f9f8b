import { type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import type { ResultsBounds } from '../src/bounds.js';
import { CONFIG_PREFIX, type ResultsConfig, resultsConfigSchema } from '../src/config.js';
import { startResults } from '../src/service.js';

/** Starts results in this process with its defaults and the given settings and bounds; databaseUrl is needed. */
export function startTestResults(
  overrides: Partial<ResultsConfig & ResultsBounds> & Pick<ResultsConfig, 'databaseUrl'>,
  logger: Logger = silentLogger,
) {
  const defaults = loadConfig(CONFIG_PREFIX, resultsConfigSchema, { RESULTS_DATABASE_URL: overrides.databaseUrl });
  return startResults({ ...defaults, ...overrides }, logger);
}
