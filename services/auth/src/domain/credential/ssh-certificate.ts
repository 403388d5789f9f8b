/** What matters here of an OpenSSH certificate. */
export interface SshCertificate {
  /** Absent: it never expires. */
  readonly validUntil: Date | undefined;
}

// OpenSSH, PROTOCOL.certkeys: how many strings the public key takes between nonce and serial, by key type.
const KEY_FIELD_COUNT: Readonly<Record<string, number>> = {
  'ssh-rsa-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp256-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp384-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp521-cert-v01@openssh.com': 2,
  'ssh-ed25519-cert-v01@openssh.com': 1,
  'sk-ecdsa-sha2-nistp256-cert-v01@openssh.com': 3,
  'sk-ssh-ed25519-cert-v01@openssh.com': 2,
};
const USER_CERTIFICATE = 1;
const FOREVER = 0xffff_ffff_ffff_ffffn;
const SECONDS_MAX = 8_640_000_000_000n; // of a Date, ECMA-262 21.4.1.1

/** Reads big-endian numbers and length-prefixed strings, RFC 4251 section 5. Past the end it throws a RangeError. */
class WireReader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  uint32(): number {
    const value = this.bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  uint64(): bigint {
    const value = this.bytes.readBigUInt64BE(this.#at);
    this.#at += 8;
    return value;
  }

  string(): string {
    const end = this.uint32() + this.#at;
    if (end > this.bytes.length) throw new RangeError('a string is longer than the certificate');
    const text = this.bytes.toString('latin1', this.#at, end);
    this.#at = end;
    return text;
  }
}

/** Reads a user certificate, one line as in `id_ed25519-cert.pub`. @returns undefined when it is anything else */
export function readSshCertificate(line: string): SshCertificate | undefined {
  const [, type = '', base64 = ''] =
    /^([a-z0-9-]+-cert-v01@openssh\.com) ([A-Za-z0-9+/]+=*)(?: [^\n\r]*)?$/.exec(line) ?? [];
  const keyFieldCount = KEY_FIELD_COUNT[type];
  if (keyFieldCount === undefined) return undefined;
  try {
    const reader = new WireReader(Buffer.from(base64, 'base64'));
    if (reader.string() !== type) return undefined;
    for (let i = 0; i < 1 + keyFieldCount; i++) reader.string(); // nonce, public key
    reader.uint64(); // serial
    if (reader.uint32() !== USER_CERTIFICATE) return undefined;
    reader.string(); // key id
    reader.string(); // principals
    reader.uint64(); // valid after
    const validBefore = reader.uint64();
    const isBounded = validBefore !== FOREVER && validBefore < SECONDS_MAX;
    return { validUntil: isBounded ? new Date(Number(validBefore) * 1000) : undefined };
  } catch {
    return undefined;
  }
}
