import { describe, expect, it } from '@jest/globals';
import { readSshCertificate } from './ssh-certificate.js';

const string = (text: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
};
const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};
const ED25519 = 'ssh-ed25519-cert-v01@openssh.com';

/** A certificate without its end, which is not read. */
function certificate(validBefore: bigint, { type = ED25519, keyFieldCount = 1, kind = 1 } = {}): string {
  const bytes = Buffer.concat([
    string(type),
    string(Buffer.alloc(32, 1)),
    ...Array.from({ length: keyFieldCount }, () => string(Buffer.alloc(32, 2))),
    uint64(7n),
    Buffer.from([0, 0, 0, kind]),
    string('mira'),
    string(string('mira')),
    uint64(0n),
    uint64(validBefore),
  ]);
  return `${type} ${bytes.toString('base64')} mira@somewhere`;
}

describe('the validity of a certificate', () => {
  it.each([
    [ED25519, 1],
    ['ssh-rsa-cert-v01@openssh.com', 2],
    ['ecdsa-sha2-nistp256-cert-v01@openssh.com', 2],
    ['sk-ecdsa-sha2-nistp256-cert-v01@openssh.com', 3],
  ])('is read from %s', (type, keyFieldCount) => {
    const line = certificate(1_780_315_200n, { type, keyFieldCount });
    expect(readSshCertificate(line)).toEqual({ validUntil: new Date('2026-06-01T12:00:00Z') });
  });

  it('may be without end', () => {
    expect(readSshCertificate(certificate(2n ** 64n - 1n))).toEqual({ validUntil: undefined });
  });

  it('is not read from anything else', () => {
    const good = certificate(1n);
    const [type = '', base64 = ''] = good.split(' ');
    const broken = [
      '',
      'ssh-ed25519 AAAA',
      certificate(1n, { kind: 2 }), // a host's
      certificate(1n, { type: 'ssh-dss-cert-v01@openssh.com', keyFieldCount: 4 }),
      `ssh-rsa-cert-v01@openssh.com ${base64}`,
      `${type} ${base64.slice(0, 40)}`,
      `${type} ${Buffer.alloc(200, 255).toString('base64')}`,
      `${good}\nssh-rsa AAAA`,
    ];
    for (const line of broken) expect(readSshCertificate(line)).toBeUndefined();
  });
});
