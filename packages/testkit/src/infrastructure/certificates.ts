import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/* Certificates as DER (RFC 5280), because Node can read certificates but not make them. */

function element(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...parts: Uint8Array[]) => element(0x30, ...parts);
const integer = (bytes: Uint8Array) => element(0x02, bytes);
const octets = (content: Uint8Array) => element(0x04, content);
const bits = (content: Uint8Array) => element(0x03, Buffer.of(0), content);
const identifier = (hex: string) => element(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => element(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));
const extension = (hex: string, content: Uint8Array) => sequence(identifier(hex), octets(content));

const COMMON_NAME = '550403';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
const LOOPBACK = element(0x87, Buffer.of(127, 0, 0, 1));
const DAY_MS = 86_400_000;

/** PEM of a private key and of its certificate. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

interface Validity {
  /** Unless given, since yesterday and until tomorrow. */
  readonly validFrom?: Date;
  readonly validUntil?: Date;
}

interface CertificateContent extends Validity {
  readonly commonName: string;
  readonly isAuthority: boolean;
  /** Subject alternative names, DER. */
  readonly names: readonly Uint8Array[];
}

const nameOf = (commonName: string) =>
  sequence(element(0x31, sequence(identifier(COMMON_NAME), element(0x0c, Buffer.from(commonName)))));

function createCertificate(
  { commonName, isAuthority, names, validFrom, validUntil }: CertificateContent,
  issuer?: { readonly commonName: string; readonly key: string },
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  const [from, until] = [validFrom ?? new Date(Date.now() - DAY_MS), validUntil ?? new Date(Date.now() + DAY_MS)];
  const constraints = sequence(...(isAuthority ? [element(0x01, Buffer.of(0xff))] : []));
  const body = sequence(
    element(0xa0, integer(Buffer.of(2))), // version 3
    integer(serial),
    algorithm,
    nameOf(issuer?.commonName ?? commonName),
    sequence(time(from), time(until)),
    nameOf(commonName),
    publicKey,
    element(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, constraints),
        ...(names.length === 0 ? [] : [extension(SUBJECT_ALTERNATIVE_NAME, sequence(...names))]),
      ),
    ),
  );
  const der = sequence(body, algorithm, bits(sign('sha256', body, createPrivateKey(issuer?.key ?? privateKey))));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return { key: privateKey, cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` };
}

/** A certificate for 127.0.0.1 that vouches for itself. */
export function createSelfSigned(): TestCertificate {
  return createCertificate({ commonName: 'tally test', isAuthority: true, names: [LOOPBACK] });
}

/** An authority of its own key, and what it issues. */
export interface TestAuthority {
  readonly cert: string;
  issue(dnsName: string, validity?: Validity): TestCertificate;
}

export function createAuthority(): TestAuthority {
  const commonName = 'tally test authority';
  const { key, cert } = createCertificate({ commonName, isAuthority: true, names: [] });
  return {
    cert,
    issue: (dnsName, validity = {}) =>
      createCertificate(
        { commonName: dnsName, isAuthority: false, names: [element(0x82, Buffer.from(dnsName))], ...validity },
        { commonName, key },
      ),
  };
}
