import { runService } from '@tally/service-kit';
import { CONFIG_PREFIX, jobsConfigSchema } from './config.js';
import { startJobs } from './service.js';

await runService({ service: 'jobs', prefix: CONFIG_PREFIX, settings: jobsConfigSchema, start: startJobs });
