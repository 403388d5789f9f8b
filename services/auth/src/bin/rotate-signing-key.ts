// Makes a new signing key for access tokens: node dist/src/bin/rotate-signing-key.js [--emergency]
// Takes the configuration of the service from the environment. The service may run. With --emergency the former keys are
// refused at once: every access token dies, and clients go on with their refresh tokens.
import { createLogger, loadConfig } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from '../config.js';
import { runRotation } from '../service.js';

try {
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  const logger = createLogger({ service: 'auth', level: config.logLevel });
  const { kid, signsFrom } = await runRotation(config, logger, process.argv.includes('--emergency'));
  process.stdout.write(`${kid} signs from ${signsFrom.toISOString()}\n`);
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
