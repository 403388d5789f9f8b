import { ServiceError } from '@tally/service-kit';
import { createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { emailFault, normalizeEmail } from '../email/email.js';
import { fail } from '../errors.js';
import { readRealmGroups } from '../group/sync-realm-groups.js';
import type { Role } from '../operator/operators.js';
import type { RealmKeys, SsoRealm } from '../ports.js';
import { normalizeUsername, usernameFault } from '../user/user.js';

/** What a token of the realm must be. */
export interface SsoRules {
  /** Compared exactly with claim `iss`. */
  readonly issuer: string;
  /** Must be in claim `aud`, or be claim `azp`. */
  readonly audience: string;
  /** Claim `typ`, or header `typ` where there is no such claim; upper and lower case alike. */
  readonly tokenTypes: readonly string[];
  readonly usernameClaim: string;
  /** `name` or `name=value`; empty: none. */
  readonly requiredClaim: string;
  /** Names of groups; empty: the realm has no say in them. */
  readonly groupsClaim: string;
  /** The same; who has it is an operator. Empty: nobody is by a claim. */
  readonly operatorClaim: string;
  /** The same of teachers. */
  readonly teacherClaim: string;
  readonly clockSkewMs: number;
  /** An older token is refused, by claim `iat`. */
  readonly tokenAgeMaxMs: number;
  readonly tokenBytesMax: number;
}

/** By which the console and the command sign users in; absent: users bring tokens. */
export interface SsoClient {
  readonly clientId: string;
  /** Separated by spaces. */
  readonly scope: string;
}

/** Whom a genuine token names. */
export interface SsoIdentity {
  /** Claim `sub`: never changes. */
  readonly subject: string;
  readonly username: string;
  /** Undefined: the realm has no say in groups. */
  readonly groups: readonly string[] | undefined;
  /** Its address, unless the realm says that nobody has confirmed it. */
  readonly email: string | undefined;
  /** The realm says so. */
  readonly role: Role | undefined;
}

/** Asymmetric signatures only: with HS256 the realm's public key would be everybody's secret. RFC 7518 section 3.1 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/; // RFC 7515 section 3.1; decoders forgive more
const SUBJECT_LENGTH_MAX = 255; // OpenID Connect Core 1.0 section 2

const refuse = (cause: unknown): Error => fail('SSO_TOKEN_INVALID', { cause });

/**
 * Checks a token of the realm: size, algorithm, type, signature, issuer, audience, times, claims. Only what it says
 * then names the user.
 * @throws ServiceError SSO_TOKEN_INVALID, SSO_CLAIM_MISSING, SSO_REALM_UNAVAILABLE
 */
export async function verifySsoToken(realm: SsoRealm, rules: SsoRules, token: string, now: Date): Promise<SsoIdentity> {
  if (Buffer.byteLength(token) > rules.tokenBytesMax) throw refuse(new Error('token is too large'));
  if (!COMPACT_JWS.test(token)) throw refuse(new Error('token is not a signed JWT'));
  const header = readHeader(token); // before anything is fetched: garbage costs us nothing
  const verified = await verifyByRealm(realm, rules, token, now);
  checkClaims(verified, header.typ, rules, now);
  return readIdentity(verified, rules);
}

/**
 * Checks that an ID token is ours, and the one that the browser asked for: signature, issuer, audience, times and nonce
 * (OpenID Connect Core 1.0 section 3.1.3.7).
 * @throws ServiceError SSO_CODE_INVALID, SSO_REALM_UNAVAILABLE
 */
export async function verifyIdToken(
  realm: SsoRealm,
  rules: Pick<SsoRules, 'issuer' | 'audience' | 'clockSkewMs'>,
  idToken: string,
  nonce: string,
  now: Date,
): Promise<void> {
  const verified = await verifyByRealm(realm, rules, idToken, now, rules.audience).catch((cause: unknown) => {
    throw cause instanceof ServiceError && cause.reason === 'SSO_TOKEN_INVALID'
      ? fail('SSO_CODE_INVALID', { cause })
      : cause;
  });
  if (nonce === '' || verified.nonce !== nonce) {
    throw fail('SSO_CODE_INVALID', { cause: new Error('the ID token is not the one that was asked for') });
  }
}

function readHeader(token: string): { readonly typ: unknown } {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(token);
    if (alg === undefined || !ALGORITHMS.includes(alg)) throw new Error('algorithm is not allowed');
    if (typeof kid !== 'string' || kid === '') throw new Error('there is no key id');
    return { typ };
  } catch (err) {
    throw refuse(err);
  }
}

/** No key of the realm that is known shows that a token is genuine. */
class Unverified extends Error {
  override readonly name = 'Unverified';
}

/** Errors that speak of a token whose signature is right. */
const REFUSALS = [errors.JWTClaimValidationFailed, errors.JWTExpired, errors.JWTInvalid];

/**
 * Signature, issuer and times. The realm may have rotated its keys, or have given wrong ones: a token that they do not verify is
 * looked at again with those of now.
 */
async function verifyByRealm(
  realm: SsoRealm,
  rules: Pick<SsoRules, 'issuer' | 'clockSkewMs'>,
  token: string,
  now: Date,
  audience?: string,
): Promise<JWTPayload> {
  const verify = (keys: RealmKeys) => verifySignature(keys, rules, token, now, audience);
  try {
    return await verify(await realm.keys());
  } catch (err) {
    if (!(err instanceof Unverified)) throw err;
  }
  try {
    return await verify(await realm.refreshedKeys());
  } catch (err) {
    throw err instanceof Unverified ? refuse(err) : err;
  }
}

/** @throws Unverified */
async function verifySignature(
  keys: RealmKeys,
  { issuer, clockSkewMs }: Pick<SsoRules, 'issuer' | 'clockSkewMs'>,
  token: string,
  now: Date,
  audience?: string,
): Promise<JWTPayload> {
  try {
    const keySet = createLocalJWKSet(keys as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: ALGORITHMS,
      issuer,
      ...(audience === undefined ? {} : { audience }),
      clockTolerance: clockSkewMs / 1000,
      currentDate: now,
      requiredClaims: ['exp', 'sub'],
    });
    return payload;
  } catch (err) {
    if (err instanceof errors.JWTClaimValidationFailed && ['iss', 'aud'].includes(err.claim)) {
      throw refuse(
        new Error(`${err.message}: ${shown({ [err.claim]: err.payload[err.claim] })}`, { cause: err.cause }),
      );
    }
    if (REFUSALS.some((refusal) => err instanceof refusal)) throw refuse(err);
    throw new Unverified('no key of the realm verifies the token', { cause: err });
  }
}

/** Claims of a genuine token that are no secret, for the operator's log. */
const shown = (claims: object): string => JSON.stringify(claims).slice(0, 200);

function checkClaims(claims: JWTPayload, headerType: unknown, rules: SsoRules, now: Date): void {
  const { aud, azp, iat, typ = headerType } = claims;
  const isForUs = (Array.isArray(aud) ? aud : [aud]).includes(rules.audience) || azp === rules.audience;
  if (!isForUs) throw refuse(new Error(`neither aud nor azp is ${rules.audience}: ${shown({ aud, azp })}`));
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!rules.tokenTypes.some((allowed) => allowed.toLowerCase() === type))
    throw refuse(new Error(`typ is none of ${rules.tokenTypes.join(', ')}: ${shown({ typ })}`));
  if (iat === undefined) throw refuse(new Error('there is no iat'));
  const ageMs = now.getTime() - iat * 1000;
  if (ageMs < -rules.clockSkewMs) throw refuse(new Error('iat is in the future'));
  if (ageMs > rules.tokenAgeMaxMs + rules.clockSkewMs) throw refuse(new Error('token is too old'));
  if (hasClaim(claims, rules.requiredClaim)) return;
  throw fail('SSO_CLAIM_MISSING', { cause: new Error(`the token has no claim ${rules.requiredClaim}`) });
}

/** @param wanted - `name`: must be there and not empty, false or null; `name=value`: must be it, or a list with it */
function hasClaim(claims: JWTPayload, wanted: string): boolean {
  if (wanted === '') return true;
  const at = wanted.indexOf('=');
  const value = readClaim(claims, at < 0 ? wanted : wanted.slice(0, at));
  if (at < 0) return value !== undefined && value !== null && value !== false && value !== '';
  return (Array.isArray(value) ? value : [value]).some(
    (item) => item !== undefined && String(item) === wanted.slice(at + 1),
  );
}

/** A claim by its name; else, dots reach inside: `realm_access.roles`. */
function readClaim(claims: object, name: string): unknown {
  const own = (from: unknown, key: string): unknown =>
    typeof from === 'object' && from !== null && Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined;
  return own(claims, name) ?? name.split('.').reduce<unknown>(own, claims);
}

/** Claims `email` and `email_verified` (OpenID Connect Core 1.0 section 5.1). */
function readEmail({ email, email_verified: isVerified }: JWTPayload): string | undefined {
  const address = typeof email === 'string' && isVerified !== false ? normalizeEmail(email) : '';
  return emailFault(address) === undefined ? address : undefined;
}

function readIdentity(claims: JWTPayload, rules: SsoRules): SsoIdentity {
  const { usernameClaim, groupsClaim } = rules;
  const username = readClaim(claims, usernameClaim);
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_LENGTH_MAX || sub.includes('\0')) {
    throw refuse(new Error('sub is not a subject'));
  }
  const normalized = typeof username === 'string' ? normalizeUsername(username) : '';
  if (usernameFault(normalized) !== undefined) throw refuse(new Error(`${usernameClaim} is not a user name`));
  const groups = groupsClaim === '' ? undefined : readRealmGroups(readClaim(claims, groupsClaim));
  return { subject: sub, username: normalized, groups, email: readEmail(claims), role: readRole(claims, rules) };
}

function readRole(claims: JWTPayload, { operatorClaim, teacherClaim }: SsoRules): Role | undefined {
  if (operatorClaim !== '' && hasClaim(claims, operatorClaim)) return 'operator';
  return teacherClaim !== '' && hasClaim(claims, teacherClaim) ? 'teacher' : undefined;
}
