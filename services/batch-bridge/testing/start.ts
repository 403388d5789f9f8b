import { type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import { type BatchBridgeConfig, batchBridgeConfigSchema, CONFIG_PREFIX } from '../src/config.js';
import { startBatchBridge } from '../src/service.js';

/** Starts batch-bridge in this process with its defaults and the given settings. */
export function startTestBatchBridge(overrides: Partial<BatchBridgeConfig>, logger: Logger = silentLogger) {
  return startBatchBridge({ ...loadConfig(CONFIG_PREFIX, batchBridgeConfigSchema, {}), ...overrides }, logger);
}
