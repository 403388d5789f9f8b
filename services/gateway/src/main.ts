import { runService } from '@tally/service-kit';
import { CONFIG_PREFIX, gatewayConfigSchema } from './config.js';
import { startGateway } from './service.js';

await runService({ service: 'gateway', prefix: CONFIG_PREFIX, settings: gatewayConfigSchema, start: startGateway });
