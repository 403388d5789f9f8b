import { type ConfigOf, type ConfigSchema, commonKeys, databaseKeys, serverKeys, setting } from '@tally/service-kit';
import { z } from 'zod';
import { MAIL_KEYS } from './config-mail.js';
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
  refreshTokenMs: {
    type: setting.integer(1_000, 366 * 24 * 60 * MINUTE_MS),
    default: '7200000',
    description: 'Life of a session, that is of its refresh token, milliseconds',
  },
  ...MAIL_KEYS,
  operators: {
    type: setting.list,
    default: '',
    description:
      'Users who may do what operators do (docs/administration.md), comma-separated: names of local users, which nobody can ' +
      'register then, and `sso:` with names of users of the realm',
  },
  teachers: {
    type: setting.list,
    default: '',
    description:
      'Users who may make classes and see and end their own (docs/people/teaching.md), in the form of AUTH_OPERATORS',
  },
  ...REALM_KEYS,
  ...CERTIFICATE_PROXY_KEYS,
} as const satisfies ConfigSchema;
export type AuthConfig = ConfigOf<typeof authConfigSchema>;
