import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { CONFIG_PREFIX, resultsConfigSchema } from './config.js';
import { startResults } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, resultsConfigSchema);
  return startResults(config, createLogger({ service: 'results', level: config.logLevel }));
});
