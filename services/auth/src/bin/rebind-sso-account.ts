// Gives the account of a user name to another subject of the realm: node dist/src/bin/rebind-sso-account.js <user name> <subject>
// Takes the configuration of the service from the environment. The service may run.
import { createLogger, loadConfig } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from '../config.js';
import { runRebind } from '../service.js';

try {
  const [username = '', subject = ''] = process.argv.slice(2);
  if (username === '' || subject === '') throw new Error('usage: rebind-sso-account.js <user name> <subject>');
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  const isDone = await runRebind(config, createLogger({ service: 'auth', level: config.logLevel }), username, subject);
  if (!isDone) throw new Error('there is no such account of the realm, or the subject has another one');
  process.stdout.write(`${username} is bound to ${subject}\n`);
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
