import { constants, gunzipSync } from 'node:zlib';

/**
 * The text of a small gzip member, or of several one after the other, written in one piece.
 * @param bytesMax - of the text
 * @throws Error it is no such member, is damaged, or holds more
 */
export function gunzipMember(member: Uint8Array, bytesMax: number): Buffer {
  return gunzipSync(member, {
    chunkSize: Math.max(bytesMax + 1, constants.Z_MIN_CHUNK),
    maxOutputLength: Math.max(bytesMax, 1),
  });
}
