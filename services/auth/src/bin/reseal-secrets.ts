// Seals everything with the first key of AUTH_ENCRYPTION_KEY: node dist/src/bin/reseal-secrets.js
// Takes the configuration of the service from the environment. The service may run, if it knows the new key already.
import { createLogger, loadConfig } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from '../config.js';
import { runReseal } from '../service.js';

try {
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  const count = await runReseal(config, createLogger({ service: 'auth', level: config.logLevel }));
  process.stdout.write(`${count} secrets sealed anew\n`);
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
