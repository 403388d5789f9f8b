/**
 * A piece of an answer of so many bytes, or more, is what it is until the next one is asked for. It fills any stream that it is
 * piped into (`highWaterMark`), so that nobody asks before it has been written. Shorter ones remain.
 */
export const LONG_PIECE_BYTES = 64 * 1024;
/** No piece of numbers is larger. */
const MEMORY_BYTES = 256 * 1024;

/**
 * Copies the pieces of an answer, the long ones to the same memory. With memory of its own for each, V8 collects its whole heap again
 * and again while a long answer passes.
 */
export function createPieceMemory(): (piece: Uint8Array) => Buffer {
  let memory: Buffer | undefined;
  return (piece) => {
    const { byteLength } = piece;
    if (byteLength < LONG_PIECE_BYTES || byteLength > MEMORY_BYTES) return Buffer.from(piece);
    memory ??= Buffer.allocUnsafeSlow(MEMORY_BYTES);
    memory.set(piece);
    return memory.subarray(0, byteLength);
  };
}
