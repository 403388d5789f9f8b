import { runService } from '@tally/service-kit';
import { CONFIG_PREFIX, runnerConfigSchema } from './config.js';
import { startDirectRunner } from './service.js';

await runService({
  service: 'direct-runner',
  prefix: CONFIG_PREFIX,
  settings: runnerConfigSchema,
  start: startDirectRunner,
  drainMs: (config) => config.drainMs,
});
