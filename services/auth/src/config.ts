import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';
import { CERTIFICATE_PROXY_KEYS, REALM_KEYS } from './config-sso.js';
import { readEncryptionKeys } from './domain/key/secret-box.js';

export const CONFIG_PREFIX = 'AUTH';

const MINUTE_MS = 60_000;

const encryptionKeys = z.string().transform((text, ctx) => {
  try {
    return readEncryptionKeys(text);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be [name:]base64 of 32 bytes, comma-separated' });
    return z.NEVER;
  }
});

/** Settings of auth. Lifetimes: decisions on accounts and sessions, docs/adr. */
export const authConfigSchema = {
  ...commonKeys,
  ...serverKeys,
  ...databaseKeys,
  encryptionKey: {
    type: encryptionKeys,
    description:
      'Keys that seal signing keys and SSH credentials: `[name:]base64` of 32 random bytes, comma-separated. The first ' +
      'seals, all open; a key without a name is named after its hash',
    secret: true,
  },
  registrationEnabled: { type: setting.boolean, default: 'true', description: 'Whether anybody may register' },
  passwordLengthMin: {
    type: setting.integer(1, 72),
    default: '8',
    description: 'Least length of a password, characters. The most is 72 bytes of UTF-8, the limit of bcrypt',
  },
  tokensPerUserMax: {
    type: setting.integer(0, 10_000),
    default: '50',
    description: 'API tokens that a user may have at the same time; 0: none can be made',
  },
  tokenLifetimeMaxMs: {
    type: setting.integer(MINUTE_MS, 10 * 366 * 24 * 60 * MINUTE_MS),
    default: '31622400000',
    description: 'Longest lifetime of an API token, milliseconds; 366 days',
  },
  bcryptCost: {
    type: setting.integer(4, 16),
    default: '12',
    description: 'Cost of the password hash; one more doubles the time of a login',
  },
  hashesAtOnceMax: {
    type: setting.integer(0, 64),
    default: '0',
    description: 'Password hashes computed at once, on threads that yield to everything else; 0: as many as processors',
  },
  hashesWaitingMax: {
    type: setting.integer(0, 10_000),
    default: '32',
    description:
      'Logins that may wait for a hash, of devices on which their users have logged in before and of others each; where there is no room, the address with the most gives one up',
  },
  hashesWaitingPerAddressMax: {
    type: setting.integer(0, 10_000),
    default: '16',
    description: 'Logins from one address (IPv6: a /64) that may wait for a hash',
  },
  throttleWindowMs: {
    type: setting.integer(1_000, 24 * 60 * MINUTE_MS),
    default: '900000',
    description: 'How long failures are counted, from the first, milliseconds; then the count starts anew',
  },
  failuresPerUserMax: {
    type: setting.integer(1, 1_000_000),
    default: '10',
    description: 'Failed logins under a user name in a window; addresses the user knows have a count of their own',
  },
  failuresPerAddressMax: {
    type: setting.integer(1, 1_000_000),
    default: '100',
    description: 'Failed logins from an address (IPv6: a /64) in a window',
  },
  registrationsPerAddressMax: {
    type: setting.integer(1, 1_000_000),
    default: '100',
    description: 'Registrations tried from an address in a window',
  },
  knownAddressMs: {
    type: setting.integer(MINUTE_MS, 366 * 24 * 60 * MINUTE_MS),
    default: '2592000000',
    description: 'How long an address or device counts as known to a user after a login from it, milliseconds',
  },
  accessTokenLocalMs: {
    type: setting.integer(1_000, 24 * 60 * MINUTE_MS),
    default: '600000',
    description: 'Life of an access token of a local user, milliseconds',
  },
  accessTokenSsoMs: {
    type: setting.integer(1_000, 24 * 60 * MINUTE_MS),
    default: '1800000',
    description: 'Life of an access token of a single-sign-on user, milliseconds',
  },
  refreshTokenMs: {
    type: setting.integer(1_000, 366 * 24 * 60 * MINUTE_MS),
    default: '7200000',
    description: 'Life of a session, that is of its refresh token, milliseconds',
  },
  tokenIssuer: { type: setting.nonEmpty, default: 'tally-auth', description: 'Claim iss of the access tokens' },
  tokenAudience: { type: setting.nonEmpty, default: 'tally-gateway', description: 'Claim aud of the access tokens' },
  signingKeyDelayMs: {
    type: setting.integer(0, 60 * MINUTE_MS),
    default: '10000',
    description: 'How long a new signing key is published before it signs, milliseconds, so that all know it by then',
  },
  ...REALM_KEYS,
  ...CERTIFICATE_PROXY_KEYS,
  housekeepingIntervalMs: {
    type: setting.integer(100, 24 * 60 * MINUTE_MS),
    default: '60000',
    description: 'Pause between two clean-ups of expired rows, milliseconds',
  },
  housekeepingRowsMax: {
    type: setting.integer(1, 100_000),
    default: '1000',
    description: 'Rows deleted by one statement of a clean-up',
  },
} as const satisfies ConfigSchema;
export type AuthConfig = ConfigOf<typeof authConfigSchema>;
