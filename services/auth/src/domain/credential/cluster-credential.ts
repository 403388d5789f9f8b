import type { Sealed, SecretBox } from '../key/secret-box.js';
import { readSshCertificate } from './ssh-certificate.js';

/** What an SSO user needs to log in to a cluster. */
export interface ClusterCredential {
  /** OpenSSH user certificate, one line. */
  readonly certificate: string;
  /** Private key, PEM or OpenSSH format. */
  readonly privateKey: string;
}

/** A credential as the proxy gave it. */
export interface FetchedCredential extends ClusterCredential {
  /** End of validity of the certificate; absent: never. */
  readonly expiresAt: Date | undefined;
}

/** A credential as it is stored. */
export interface SealedCredential {
  readonly userId: bigint;
  readonly sealed: Sealed;
}

/** A credential with the login name that it is for: the user name at the realm. */
export interface OwnedCredential extends SealedCredential {
  readonly username: string;
}

const place = (userId: bigint): string => `cluster_credentials/${userId}`;
const PRIVATE_KEY = /^-----BEGIN ([A-Z]+ )*PRIVATE KEY-----\n[\s\S]+-----END ([A-Z]+ )*PRIVATE KEY-----$/;

/** Reads the proxy's answer `{cert, private}`. @returns undefined when it is anything else */
export function readCredential(answer: unknown): FetchedCredential | undefined {
  if (typeof answer !== 'object' || answer === null || !('cert' in answer) || !('private' in answer)) return undefined;
  const { cert, private: key } = answer;
  if (typeof cert !== 'string' || typeof key !== 'string') return undefined;
  const certificate = cert.trim();
  const privateKey = key.replaceAll('\r\n', '\n').trim();
  const read = readSshCertificate(certificate);
  if (read === undefined || !PRIVATE_KEY.test(privateKey)) return undefined;
  // ssh refuses a key file without the last line break
  return { certificate, privateKey: `${privateKey}\n`, expiresAt: read.validUntil };
}

/** Seals a credential; it opens for this user only. */
export function sealCredential(box: SecretBox, userId: bigint, credential: ClusterCredential): Sealed {
  return box.seal(Buffer.from(JSON.stringify([credential.certificate, credential.privateKey])), place(userId));
}

/** Opens what {@link sealCredential} sealed. */
export function openCredential(box: SecretBox, { userId, sealed }: SealedCredential): ClusterCredential {
  const parts: unknown = JSON.parse(box.open(sealed, place(userId)).toString());
  if (!Array.isArray(parts)) throw new Error('a sealed credential is not a pair');
  const [certificate, privateKey] = parts.map(String);
  if (certificate === undefined || privateKey === undefined) throw new Error('a sealed credential is not a pair');
  return { certificate, privateKey };
}

/** The same credential under the box's current encryption key. */
export function resealCredential(box: SecretBox, { userId, sealed }: SealedCredential): Sealed {
  return box.seal(box.open(sealed, place(userId)), place(userId));
}
