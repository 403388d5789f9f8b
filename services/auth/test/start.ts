import { randomBytes } from 'node:crypto';
import { type Clock, type Logger, loadConfig, silentLogger } from '@tally/service-kit';
import type { AuthBounds } from '../src/bounds.js';
import { type AuthConfig, authConfigSchema, CONFIG_PREFIX } from '../src/config.js';
import { startAuth } from '../src/service.js';

/** Settings and bounds that a test gives. */
export type AuthOverrides = Partial<AuthConfig & AuthBounds>;
type TestAuthOptions = AuthOverrides & Pick<AuthConfig, 'databaseUrl'>;

/** Settings for tests: the defaults, the cheapest password hash, an encryption key of its own. */
export function testAuthConfig(overrides: TestAuthOptions) {
  const env = {
    AUTH_DATABASE_URL: overrides.databaseUrl,
    AUTH_ENCRYPTION_KEY: `test:${randomBytes(32).toString('base64')}`,
    AUTH_BCRYPT_COST: '4',
  };
  return { ...loadConfig(CONFIG_PREFIX, authConfigSchema, env), ...overrides };
}

/** Starts auth in this process on a migrated database (`createTestDatabase('services/auth/prisma/migrations')`). */
export function startTestAuth(overrides: TestAuthOptions, logger: Logger = silentLogger, clock?: Clock) {
  return startAuth(testAuthConfig(overrides), logger, clock);
}
