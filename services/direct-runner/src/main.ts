import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { CONFIG_PREFIX, runnerConfigSchema } from './config.js';
import { startDirectRunner } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, runnerConfigSchema);
  return startDirectRunner(config, createLogger({ service: 'direct-runner', level: config.logLevel }));
});
