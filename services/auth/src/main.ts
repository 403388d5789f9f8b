import { runService } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from './config.js';
import { startAuth } from './service.js';

await runService({ service: 'auth', prefix: CONFIG_PREFIX, settings: authConfigSchema, start: startAuth });
