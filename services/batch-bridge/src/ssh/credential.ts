import { timingSafeEqual } from 'node:crypto';
import ssh2, { type ParsedKey } from 'ssh2';
import { fail } from '../domain/errors.js';
import type { Credential } from '../domain/ports.js';
import { type Certificate, parseCertificate } from './certificate.js';

/** A credential that has been checked and can open a connection. */
export interface Identity {
  readonly username: string;
  readonly certificate: Certificate;
  readonly key: ParsedKey;
}

/** Clocks of two machines differ: a certificate that begins within this time is taken for valid. */
const CLOCK_SKEW_MS = 60_000;

function parseKey(text: string): ParsedKey {
  const parsed: ParsedKey | ParsedKey[] | Error = ssh2.utils.parseKey(text); // several only from formats with several
  const key = [parsed].flat()[0];
  if (key === undefined || key instanceof Error || !key.isPrivateKey()) throw new RangeError('not a private key');
  return key;
}

/** An identity, or what is wrong with the credential, for its owner. */
function examine({ certificate: line, privateKey }: Credential, username: string, now: Date): Identity | string {
  let certificate: Certificate;
  let key: ParsedKey;
  try {
    certificate = parseCertificate(line);
    key = parseKey(privateKey);
  } catch (err) {
    if (err instanceof RangeError) return 'The SSH certificate or its key cannot be read';
    throw err;
  }
  const own = key.getPublicSSH();
  if (own.length !== certificate.publicKey.length || !timingSafeEqual(own, certificate.publicKey)) {
    return 'The SSH certificate does not belong to its key';
  }
  if (now.getTime() + CLOCK_SKEW_MS < certificate.validAfter.getTime()) {
    return `The SSH certificate is not valid before ${certificate.validAfter.toISOString()}`;
  }
  if (certificate.validBefore !== undefined && now >= certificate.validBefore) {
    return `The SSH certificate expired at ${certificate.validBefore.toISOString()}; log in again to get a new one`;
  }
  if (certificate.principals.length > 0 && !certificate.principals.includes(username)) {
    return `The SSH certificate is not for the login name ${username}`;
  }
  return { username, certificate, key };
}

/**
 * Checks a credential before it is used: an SSH server would only say "refused".
 * @throws ServiceError CREDENTIAL_UNUSABLE, with what is wrong
 */
export function openCredential(credential: Credential, username: string, now: Date): Identity {
  const outcome = examine(credential, username, now);
  if (typeof outcome === 'string') throw fail('CREDENTIAL_UNUSABLE', { message: outcome });
  return outcome;
}
