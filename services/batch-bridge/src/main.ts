import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { batchBridgeConfigSchema, CONFIG_PREFIX } from './config.js';
import { startBatchBridge } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, batchBridgeConfigSchema);
  return startBatchBridge(config, createLogger({ service: 'batch-bridge', level: config.logLevel }));
});
