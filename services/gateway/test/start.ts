import { type Clock, type Logger, loadConfig, silentLogger, systemClock } from '@tally/service-kit';
import { testCallerToken } from '@tally/testkit';
import type { GatewayBounds } from '../src/bounds.js';
import { CONFIG_PREFIX, type GatewayConfig, gatewayConfigSchema } from '../src/config.js';
import { startGateway } from '../src/service.js';

/** Where nothing listens: a service that a test does not need. */
const NOWHERE = '127.0.0.1:1';

/** Starts the gateway in this process with its defaults and the given settings and bounds. */
export function startTestGateway(
  overrides: Partial<GatewayConfig & GatewayBounds>,
  logger: Logger = silentLogger,
  clock: Clock = systemClock,
) {
  const defaults = loadConfig(CONFIG_PREFIX, gatewayConfigSchema, {
    GATEWAY_CALLER_TOKEN: testCallerToken('gateway'),
    GATEWAY_AUTH_ADDRESS: NOWHERE,
    GATEWAY_JOBS_ADDRESS: NOWHERE,
    GATEWAY_RESULTS_ADDRESS: NOWHERE,
    GATEWAY_BATCH_BRIDGE_ADDRESS: NOWHERE,
  });
  return startGateway({ ...defaults, ...overrides }, logger, clock);
}
