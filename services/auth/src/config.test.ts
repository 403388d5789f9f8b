import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@tally/service-kit';
import { authConfigSchema, CONFIG_PREFIX } from './config.js';

const REQUIRED = {
  AUTH_DATABASE_URL: 'postgresql://x',
  AUTH_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const load = (env: Record<string, string>) => loadConfig(CONFIG_PREFIX, authConfigSchema, { ...REQUIRED, ...env });

describe('the configuration', () => {
  it('needs nothing but a database and an encryption key', () => {
    expect(load({})).toMatchObject({
      bcryptCost: 12,
      passwordLengthMin: 8,
      registrationEnabled: true,
      ssoIssuerUrl: '',
    });
    expect(() => loadConfig(CONFIG_PREFIX, authConfigSchema, {})).toThrow(ConfigError);
  });

  it('says that an encryption key is malformed without showing it', () => {
    expect(() => load({ AUTH_ENCRYPTION_KEY: 'my-secret-phrase' })).toThrow('AUTH_ENCRYPTION_KEY is malformed');
    expect(() => load({ AUTH_ENCRYPTION_KEY: 'my-secret-phrase' })).not.toThrow('my-secret-phrase');
  });

  it.each(['AUTH_SSO_ISSUER_URL', 'AUTH_CERT_PROXY_URL'])(
    'takes %s by https, and by http from this machine only',
    (name) => {
      for (const url of ['', 'https://sso.example.org/realms/x', 'http://127.0.0.1:4000', 'http://[::1]:4000/']) {
        expect(() => load({ [name]: url })).not.toThrow();
      }
      for (const url of [
        'http://sso.example.org',
        'http://127.0.0.1.example.org',
        'ftp://x',
        'sso.example.org',
        'file:///etc',
      ]) {
        expect(() => load({ [name]: url })).toThrow(`${name}=`);
      }
    },
  );
});
