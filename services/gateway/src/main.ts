import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { CONFIG_PREFIX, gatewayConfigSchema } from './config.js';
import { startGateway } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, gatewayConfigSchema);
  return startGateway(config, createLogger({ service: 'gateway', level: config.logLevel }));
});
