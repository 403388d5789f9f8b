// OpenSSH user certificates for ssh2 1.17.0, which does not know them. Its Protocol.authPK() writes one algorithm name
// twice: as public key algorithm of the request and as format of the signature. With a certificate they differ
// (ssh-ed25519-cert-v01@openssh.com, ssh-ed25519). So the signed request, this one packet, is assembled here; all else
// is ssh2's. It rests on internals: the version is pinned exactly, and connect.contract.test.ts tries all key types.
import { createRequire } from 'node:module';
import type { Client, ParsedKey } from 'ssh2';
import { lengthPrefixed } from './certificate.js';
import type { Identity } from './credential.js';

interface Ssh2Wire {
  readonly convertSignature: (signature: Buffer, keyType: string) => Buffer | false;
  readonly sendPacket: (protocol: Ssh2Protocol, packet: Buffer) => boolean;
}
interface Ssh2Protocol {
  authPK(user: string, key: ParsedKey, algorithm?: string | Sign, sign?: Sign): void;
  readonly _packetRW: {
    readonly write: { readonly allocStart: number; alloc(size: number): Buffer; finalize(packet: Buffer): Buffer };
  };
  readonly _authsQueue: string[];
}
type Sign = (toSign: Buffer, done: (signature: Buffer) => void) => void;

const { convertSignature, sendPacket } = createRequire(import.meta.url)('ssh2/lib/protocol/utils.js') as Ssh2Wire;

/** Signature format of each key made by {@link certificateKey}. */
const signatureFormats = new WeakMap<ParsedKey, string>();

/** A key object for ssh2's authHandler that shows the certificate and signs with the private key. */
export function certificateKey({ key, certificate }: Identity): ParsedKey {
  const isRsa = certificate.keyType === 'ssh-rsa';
  // RFC 8332: RSA keys sign with SHA-2, and sshd 8.8 and later takes nothing else
  const type = isRsa ? 'rsa-sha2-512-cert-v01@openssh.com' : certificate.type;
  const sign = (data: Buffer | string): Buffer => {
    const raw: unknown = key.sign(data, isRsa ? 'sha512' : undefined);
    const signature = Buffer.isBuffer(raw) ? convertSignature(raw, key.type) : false;
    if (signature === false) throw new Error('the private key cannot sign');
    return signature;
  };
  const shown: ParsedKey = Object.create(key, {
    type: { value: type },
    getPublicSSH: { value: () => certificate.blob },
    sign: { value: sign },
  }) as ParsedKey;
  signatureFormats.set(shown, isRsa ? 'rsa-sha2-512' : key.type);
  return shown;
}

/** Makes a client fit for {@link certificateKey}. To be called directly after its connect(). */
export function enableCertificates(client: Client): void {
  const protocol = (client as unknown as { _protocol?: Ssh2Protocol })._protocol;
  if (typeof protocol?.authPK !== 'function') throw new Error('this version of ssh2 is not known to work');
  const original = protocol.authPK.bind(protocol);
  protocol.authPK = (user, key, algorithm, sign) => {
    const signer = typeof algorithm === 'function' ? algorithm : sign;
    const format = signatureFormats.get(key);
    if (format === undefined || signer === undefined) return original(user, key, algorithm, sign);
    // ssh2 gives the signer what has to be signed: the session id as a string, then the request itself
    original(user, key, (toSign: Buffer) =>
      signer(toSign, (signature) => {
        const request = toSign.subarray(4 + toSign.readUInt32BE(0));
        const tail = lengthPrefixed(Buffer.concat([lengthPrefixed(Buffer.from(format)), lengthPrefixed(signature)]));
        const { write } = protocol._packetRW;
        const start = write.allocStart;
        const packet = write.alloc(request.length + tail.length);
        packet.set(request, start);
        packet.set(tail, start + request.length);
        protocol._authsQueue.push('publickey');
        sendPacket(protocol, write.finalize(packet));
      }),
    );
  };
}
