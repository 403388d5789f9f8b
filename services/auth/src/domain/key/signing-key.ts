import { createHash, createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Sealed, SecretBox } from './secret-box.js';

/** Public half of a signing key as a JWK (RFC 7517) for ES256. */
export type PublicJwk = Readonly<Record<'kty' | 'crv' | 'x' | 'y' | 'alg' | 'use' | 'kid', string>>;

/** A key pair of the access tokens as it is stored. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivate: Sealed;
  readonly createdAt: Date;
  /** Published before, it signs from then on. */
  readonly signsFrom: Date;
  /** End of publication; absent while it is the newest key. */
  readonly verifiesUntil?: Date;
}

const place = (kid: string): string => `signing_keys/${kid}`;

function readCoordinate(jwk: JsonWebKey, name: 'x' | 'y'): string {
  const value = jwk[name];
  if (value === undefined) throw new Error('an exported P-256 key has no coordinates');
  return value;
}

/** Makes a P-256 key pair; its id is the RFC 7638 thumbprint of the public half. */
export async function createSigningKey(box: SecretBox, createdAt: Date, signsFrom: Date): Promise<SigningKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const [x, y] = [readCoordinate(jwk, 'x'), readCoordinate(jwk, 'y')];
  // members in lexicographic order without blanks, RFC 7638 section 3.2
  const thumbprint = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  const kid = createHash('sha256').update(thumbprint).digest('base64url');
  return {
    kid,
    publicJwk: { kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid },
    sealedPrivate: box.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), place(kid)),
    createdAt,
    signsFrom,
  };
}

/** The private half, ready to sign. */
export function openSigningKey(box: SecretBox, { kid, sealedPrivate }: SigningKey): KeyObject {
  return createPrivateKey({ key: box.open(sealedPrivate, place(kid)), format: 'der', type: 'pkcs8' });
}

/** The same key under the box's current encryption key. */
export function resealSigningKey(box: SecretBox, { kid, sealedPrivate }: SigningKey): Sealed {
  return box.seal(box.open(sealedPrivate, place(kid)), place(kid));
}

/**
 * The key that signs at this moment: the newest whose time has come; before that of the very first key, that one.
 * @param keys - live keys, newest first
 * @throws Error when there is none
 */
export function chooseSigner(keys: readonly SigningKey[], now: Date): SigningKey {
  const signer = keys.find((key) => key.signsFrom <= now) ?? keys.at(-1);
  if (signer === undefined) throw new Error('there is no signing key');
  return signer;
}
