import { runService } from '@tally/service-kit';
import { batchBridgeConfigSchema, CONFIG_PREFIX } from './config.js';
import { startBatchBridge } from './service.js';

await runService({
  service: 'batch-bridge',
  prefix: CONFIG_PREFIX,
  settings: batchBridgeConfigSchema,
  start: startBatchBridge,
});
