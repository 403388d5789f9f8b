import { type Clock, type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import { testCallers, testCallerToken } from '@tally/testkit';
import { batchBridgeConfigSchema, CONFIG_PREFIX } from '../src/config.js';
import { type BridgeOptions, startBatchBridge } from '../src/service.js';

/** Folder of the migrations, from the root of the checkout, for createTestDatabase. */
export const BATCH_BRIDGE_MIGRATIONS = 'services/batch-bridge/prisma/migrations';

/** Nobody listens there: a service that a test does without is unavailable. */
const UNAVAILABLE = '127.0.0.1:1';

/** Starts batch-bridge in this process with its defaults, the test callers and the given settings. */
export function startTestBatchBridge(
  overrides: Partial<BridgeOptions> & Pick<BridgeOptions, 'databaseUrl'>,
  logger: Logger = silentLogger,
  clock?: Clock,
) {
  const defaults = loadConfig(CONFIG_PREFIX, batchBridgeConfigSchema, {
    BATCH_DATABASE_URL: overrides.databaseUrl,
    BATCH_CALLER_TOKEN: testCallerToken('batch-bridge'),
    BATCH_JOBS_ADDRESS: UNAVAILABLE,
    BATCH_RESULTS_ADDRESS: UNAVAILABLE,
    BATCH_AUTH_ADDRESS: UNAVAILABLE,
  });
  return startBatchBridge({ ...defaults, callers: testCallers('gateway', 'jobs'), ...overrides }, logger, clock);
}
