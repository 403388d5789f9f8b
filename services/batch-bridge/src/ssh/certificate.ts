import { Buffer } from 'node:buffer';

/** Contents of an OpenSSH user certificate (OpenSSH, PROTOCOL.certkeys). */
export interface Certificate {
  /** Name of its format, such as `ssh-ed25519-cert-v01@openssh.com`. */
  readonly type: string;
  /** Type of the certified key, such as `ssh-ed25519`. */
  readonly keyType: string;
  /** The whole certificate, binary. */
  readonly blob: Buffer;
  /** The certified key in the format of RFC 4253 section 6.6. */
  readonly publicKey: Buffer;
  /** Chosen by the authority; distinguishes certificates. */
  readonly serial: bigint;
  /** Login names that it is valid for; empty: any. */
  readonly principals: readonly string[];
  readonly validAfter: Date;
  /** Absent: it never expires. */
  readonly validBefore: Date | undefined;
}

const LINE =
  /^((ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))-cert-v01@openssh\.com) ([A-Za-z0-9+/]+=*)(?: [^\r\n]*)?\s*$/;
const USER_CERTIFICATE = 1;
const SECONDS_MAX = 8_640_000_000_000n; // of a Date, ECMA-262 21.4.1.1; "for ever" is 2^64 - 1

/** A string of RFC 4251 section 5: its length in four bytes, then its bytes. */
export function lengthPrefixed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

class WireReader {
  #at = 0;
  constructor(private readonly bytes: Buffer) {}

  uint32(): number {
    return this.bytes.readUInt32BE((this.#at += 4) - 4);
  }
  uint64(): bigint {
    return this.bytes.readBigUInt64BE((this.#at += 8) - 8);
  }
  string(): Buffer {
    const length = this.uint32();
    if (this.#at + length > this.bytes.length) throw new RangeError('a string is longer than the certificate');
    return this.bytes.subarray(this.#at, (this.#at += length));
  }
  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }
}

function readStrings(list: Buffer): string[] {
  const reader = new WireReader(list);
  const texts: string[] = [];
  while (!reader.isAtEnd) texts.push(reader.string().toString('utf8'));
  return texts;
}

const toDate = (seconds: bigint): Date => new Date(Number(seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * 1000);

/** Reads the one line of a `*-cert.pub` file. @throws RangeError when it is no user certificate of a known key type */
export function parseCertificate(line: string): Certificate {
  const [, type = '', keyType = '', base64 = ''] = LINE.exec(line) ?? [];
  if (keyType === '') throw new RangeError('not an OpenSSH certificate of a known type');
  const blob = Buffer.from(base64, 'base64');
  const reader = new WireReader(blob);
  if (reader.string().toString() !== type) throw new RangeError('the certificate names two types');
  reader.string(); // nonce
  const fields = [reader.string()];
  if (keyType !== 'ssh-ed25519') fields.push(reader.string()); // e and n, or curve and point
  const publicKey = Buffer.concat([Buffer.from(keyType), ...fields].map(lengthPrefixed));
  const serial = reader.uint64();
  if (reader.uint32() !== USER_CERTIFICATE) throw new RangeError('not a user certificate');
  reader.string(); // key id
  const principals = readStrings(reader.string());
  const validAfter = toDate(reader.uint64());
  const validBefore = reader.uint64();
  return {
    type,
    keyType,
    blob,
    publicKey,
    serial,
    principals,
    validAfter,
    validBefore: validBefore >= SECONDS_MAX ? undefined : toDate(validBefore),
  };
}
