import type { Clock } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { CodeGrant, RealmEndpoints, RealmKeys, RealmTokens, SsoRealm } from '../domain/ports.js';
import { type FetchLimits, fetchJson, UnexpectedStatus } from './bounded-fetch.js';

/** How the realm is asked. */
export interface SsoRealmOptions {
  /** Issuer identifier; its discovery document must name the same. */
  readonly issuerUrl: string;
  /** For discovery document and keys together, and for an exchange. */
  readonly timeoutMs: number;
  readonly keysMaxAgeMs: number;
  /** Least time between two refreshes for unknown key ids, and between two tries after a failure: strangers can cause as many as they like. */
  readonly intervalMinMs: number;
  readonly clock: Clock;
}

const DOCUMENT_BYTES_MAX = 512 * 1024;

/** What the realm says of itself. */
interface RealmFacts {
  readonly keys: RealmKeys;
  readonly endpoints: RealmEndpoints;
}

/** The realm by OpenID Connect Discovery 1.0, cached; asked once however many logins wait for the answer. */
export function createSsoRealm(options: SsoRealmOptions): SsoRealm {
  const { clock, keysMaxAgeMs, intervalMinMs } = options;
  let cached: { readonly facts: RealmFacts; readonly readAtMs: number } | undefined;
  let reading: Promise<RealmFacts> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  const nowMs = () => clock.monotonicMs();

  const read = (): Promise<RealmFacts> => {
    reading ??= readFacts(options)
      .then((facts) => {
        cached = { facts, readAtMs: nowMs() };
        return facts;
      })
      .catch((err: unknown) => {
        failedAtMs = nowMs();
        throw fail('SSO_REALM_UNAVAILABLE', { cause: err });
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const ifYoungerThan = async (ageMs: number): Promise<RealmFacts> =>
    cached !== undefined && nowMs() - cached.readAtMs < ageMs ? cached.facts : read();
  const endpoints = async (): Promise<RealmEndpoints> => {
    // anybody may ask for these, with nothing that could be checked first
    if (nowMs() - failedAtMs < intervalMinMs) throw fail('SSO_REALM_UNAVAILABLE');
    return (await ifYoungerThan(keysMaxAgeMs)).endpoints;
  };

  return {
    keys: async () => (await ifYoungerThan(keysMaxAgeMs)).keys,
    refreshedKeys: async () => (await ifYoungerThan(intervalMinMs)).keys,
    endpoints,
    exchangeCode: async (grant) => exchange((await endpoints()).token, grant, options),
  };
}

/** RFC 6749 section 4.1.3 with RFC 7636 section 4.5; the client is a public one. */
async function exchange(url: string, grant: CodeGrant, { timeoutMs }: SsoRealmOptions): Promise<RealmTokens> {
  const form = {
    grant_type: 'authorization_code',
    client_id: grant.clientId,
    code: grant.code,
    code_verifier: grant.codeVerifier,
    redirect_uri: grant.redirectUri,
  };
  const answer = await fetchJson(url, { timeoutMs, bytesMax: DOCUMENT_BYTES_MAX, form }).catch((cause: unknown) => {
    const isRefused = cause instanceof UnexpectedStatus && (cause.status === 400 || cause.status === 401);
    throw fail(isRefused ? 'SSO_CODE_INVALID' : 'SSO_REALM_UNAVAILABLE', { cause });
  });
  const { access_token: accessToken, id_token: idToken } = membersOf(answer);
  if (typeof accessToken !== 'string' || typeof idToken !== 'string') {
    throw fail('SSO_REALM_UNAVAILABLE', { cause: new Error('the realm gave no access token, or no ID token') });
  }
  return { accessToken, idToken };
}

const membersOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>;

async function readFacts({ issuerUrl, timeoutMs }: SsoRealmOptions): Promise<RealmFacts> {
  const startedAt = performance.now();
  const limits = (): FetchLimits => ({
    timeoutMs: Math.max(1, Math.round(timeoutMs - (performance.now() - startedAt))),
    bytesMax: DOCUMENT_BYTES_MAX,
  });
  const base = issuerUrl.replace(/\/$/, '');
  const discovery = membersOf(await fetchJson(`${base}/.well-known/openid-configuration`, limits()));
  // section 4.3: otherwise another realm on the same host could speak for this one
  if (discovery.issuer !== issuerUrl) throw new Error('the discovery document is of another issuer');
  const keys = await fetchJson(readUrl(discovery, 'jwks_uri', issuerUrl), limits());
  if (!isKeySet(keys)) throw new Error('the keys of the realm are not a JWK set');
  if (!hasSignatureKey(keys)) throw new Error('the realm has no key for signatures');
  return { keys, endpoints: readEndpoints(discovery, issuerUrl) };
}

/** Without them tokens can still be checked; who signs in by them is told. */
function readEndpoints(discovery: Readonly<Record<string, unknown>>, issuerUrl: string): RealmEndpoints {
  const read = (name: string) => (name in discovery ? readUrl(discovery, name, issuerUrl) : '');
  const deviceAuthorization = read('device_authorization_endpoint');
  return {
    authorization: read('authorization_endpoint'),
    token: read('token_endpoint'),
    deviceAuthorization: deviceAuthorization === '' ? undefined : deviceAuthorization,
  };
}

function readUrl(discovery: Readonly<Record<string, unknown>>, name: string, issuerUrl: string): string {
  const url = discovery[name];
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error(`the discovery document has no ${name}`);
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== new URL(issuerUrl).protocol) throw new Error(`${name} is not https`);
  return url;
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

/** A realm that publishes no key for signatures answers wrongly. */
const hasSignatureKey = ({ keys }: RealmKeys): boolean =>
  keys.map(membersOf).some(({ kty, use }) => (kty === 'RSA' || kty === 'EC') && use !== 'enc');
