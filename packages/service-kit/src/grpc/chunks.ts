/** The bytes in their order, in pieces of at most `bytesMax`, which share their memory; no bytes: no piece. */
export function* chunksOf<Bytes extends Uint8Array>(bytes: Bytes, bytesMax: number): Generator<Bytes> {
  for (let from = 0; from < bytes.length; from += bytesMax) yield bytes.subarray(from, from + bytesMax) as Bytes;
}
