import { type Clock, type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import { testCallers } from '@tally/testkit';
import { type BatchBridgeConfig, batchBridgeConfigSchema, CONFIG_PREFIX } from '../src/config.js';
import { startBatchBridge } from '../src/service.js';

/** Folder of the migrations, from the root of the checkout, for createTestDatabase. */
export const BATCH_BRIDGE_MIGRATIONS = 'services/batch-bridge/prisma/migrations';

/** Starts batch-bridge in this process with its defaults, the test callers and the given settings. */
export function startTestBatchBridge(
  overrides: Partial<BatchBridgeConfig> & Pick<BatchBridgeConfig, 'databaseUrl'>,
  logger: Logger = silentLogger,
  clock?: Clock,
) {
  const defaults = loadConfig(CONFIG_PREFIX, batchBridgeConfigSchema, { BATCH_DATABASE_URL: overrides.databaseUrl });
  return startBatchBridge({ ...defaults, callers: testCallers('gateway', 'jobs'), ...overrides }, logger, clock);
}
