import { timingSafeEqual } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** Key types that can be pinned, and the algorithms by which a server proves to have such a key. */
const ALGORITHMS: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

/** The pinned keys of one machine. */
export interface HostKeys {
  /** What the client may agree to: only types that are pinned, so that the server shows a key that can be compared. */
  readonly algorithms: ServerHostKeyAlgorithm[];
  includes(key: Buffer): boolean;
}

/** Reads pinned keys; each `<type> <base64>`, checked by domain/cluster-settings.ts. */
export function parseHostKeys(lines: readonly string[]): HostKeys {
  const pinned = lines.map((line) => {
    const [type = '', base64 = ''] = line.split(' ');
    return { type, blob: Buffer.from(base64, 'base64') };
  });
  return {
    algorithms: [...new Set(pinned.flatMap(({ type }) => ALGORITHMS[type] ?? []))],
    includes: (key) => pinned.some(({ blob }) => blob.length === key.length && timingSafeEqual(blob, key)),
  };
}
