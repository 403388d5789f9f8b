import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from './config.js';
import { startAuth } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  return startAuth(config, createLogger({ service: 'auth', level: config.logLevel }));
});
