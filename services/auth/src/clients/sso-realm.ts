import type { Clock } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { RealmKeys, SsoRealm } from '../domain/ports.js';
import { fetchJson } from './bounded-fetch.js';

/** How the realm is asked. */
export interface SsoRealmOptions {
  /** Issuer identifier; its discovery document must name the same. */
  readonly issuerUrl: string;
  /** For discovery document and keys together. */
  readonly timeoutMs: number;
  readonly keysMaxAgeMs: number;
  /** Least time between two refreshes for unknown key ids: strangers can name as many as they like. */
  readonly intervalMinMs: number;
  readonly clock: Clock;
}

const DOCUMENT_BYTES_MAX = 512 * 1024;

/** The realm's keys by OpenID Connect Discovery 1.0, cached; asked once however many logins wait for the answer. */
export function createSsoRealm(options: SsoRealmOptions): SsoRealm {
  const { clock, keysMaxAgeMs, intervalMinMs } = options;
  let cached: { readonly keys: RealmKeys; readonly readAtMs: number } | undefined;
  let reading: Promise<RealmKeys> | undefined;

  const read = (): Promise<RealmKeys> => {
    reading ??= readKeys(options)
      .then((keys) => {
        cached = { keys, readAtMs: clock.now().getTime() };
        return keys;
      })
      .catch((err: unknown) => {
        throw fail('SSO_REALM_UNAVAILABLE', { cause: err });
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const ifYoungerThan = async (ageMs: number): Promise<RealmKeys> =>
    cached !== undefined && clock.now().getTime() - cached.readAtMs < ageMs ? cached.keys : read();

  return { keys: () => ifYoungerThan(keysMaxAgeMs), refreshedKeys: () => ifYoungerThan(intervalMinMs) };
}

async function readKeys({ issuerUrl, timeoutMs }: SsoRealmOptions): Promise<RealmKeys> {
  const startedAt = performance.now();
  const limits = () => ({
    timeoutMs: Math.max(1, Math.round(timeoutMs - (performance.now() - startedAt))),
    bytesMax: DOCUMENT_BYTES_MAX,
  });
  const base = issuerUrl.replace(/\/$/, '');
  const discovery = await fetchJson(`${base}/.well-known/openid-configuration`, limits());
  const keys = await fetchJson(readKeysUrl(discovery, issuerUrl), limits());
  if (!isKeySet(keys)) throw new Error('the keys of the realm are not a JWK set');
  return keys;
}

function readKeysUrl(discovery: unknown, issuerUrl: string): string {
  const { issuer, jwks_uri: keysUrl } = Object(discovery) as Readonly<Record<string, unknown>>;
  // section 4.3: otherwise another realm on the same host could speak for this one
  if (issuer !== issuerUrl) throw new Error('the discovery document is of another issuer');
  if (typeof keysUrl !== 'string' || !URL.canParse(keysUrl)) throw new Error('the discovery document has no jwks_uri');
  const { protocol } = new URL(keysUrl);
  if (protocol !== 'https:' && protocol !== new URL(issuerUrl).protocol) throw new Error('jwks_uri is not https');
  return keysUrl;
}

function isKeySet(value: unknown): value is RealmKeys {
  return (
    typeof value === 'object' &&
    value !== null &&
    'keys' in value &&
    Array.isArray(value.keys) &&
    value.keys.every((key) => typeof key === 'object' && key !== null)
  );
}
