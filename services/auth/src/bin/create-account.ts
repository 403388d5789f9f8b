// Makes a local account, that of an operator for example: node dist/src/bin/create-account.js <user name> < file-with-the-password
// Takes the configuration of the service from the environment, and the password from the first line of the standard input. The service may run.
import { text } from 'node:stream/consumers';
import { createLogger, loadConfig, ServiceError } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from '../config.js';
import { runCreateAccount } from '../service.js';

const describe = (err: unknown): string => {
  const faults = err instanceof ServiceError ? err.fields.map(({ field, message }) => `${field} ${message}`) : [];
  const message = err instanceof Error ? err.message : String(err);
  return faults.length === 0 ? message : `${message}: ${faults.join(', ')}`;
};

try {
  const [username = ''] = process.argv.slice(2);
  if (username === '') throw new Error('usage: create-account.js <user name> < file-with-the-password');
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/);
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  const logger = createLogger({ service: 'auth', level: config.logLevel });
  const user = await runCreateAccount(config, logger, { username, password });
  process.stdout.write(`${user.username} is user ${user.id}\n`);
} catch (err) {
  process.stderr.write(`${describe(err)}\n`);
  process.exitCode = 1;
}
