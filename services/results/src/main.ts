import { runService } from '@tally/service-kit';
import { CONFIG_PREFIX, resultsConfigSchema } from './config.js';
import { startResults } from './service.js';

await runService({ service: 'results', prefix: CONFIG_PREFIX, settings: resultsConfigSchema, start: startResults });
