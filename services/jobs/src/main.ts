import { createLogger, loadConfig, runUntilSignal } from '@tally/service-kit';
import { CONFIG_PREFIX, jobsConfigSchema } from './config.js';
import { startJobs } from './service.js';

await runUntilSignal(async () => {
  const config = loadConfig(CONFIG_PREFIX, jobsConfigSchema);
  return startJobs(config, createLogger({ service: 'jobs', level: config.logLevel }));
});
