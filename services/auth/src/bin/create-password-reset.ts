// Prints a link by which a local user sets a new password: node dist/src/bin/create-password-reset.js <user name>
// Takes the configuration of the service from the environment. The service may run. Hand the link to nobody but the user.
import { createLogger, loadConfig } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from '../config.js';
import { passwordResetPath } from '../domain/link/one-time-link.js';
import { runPasswordReset } from '../service.js';

try {
  const [username = ''] = process.argv.slice(2);
  if (username === '') throw new Error('usage: create-password-reset.js <user name>');
  const config = loadConfig(CONFIG_PREFIX, authConfigSchema);
  // its audit line would stand among what is printed here
  const logger = createLogger({ service: 'auth', level: config.logLevel, write: (line) => process.stderr.write(line) });
  const { token, expiresAt } = await runPasswordReset(config, logger, username);
  process.stdout.write(
    `${config.publicUrl}${passwordResetPath(token)}\nworks once, until ${expiresAt.toISOString()}\n`,
  );
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
