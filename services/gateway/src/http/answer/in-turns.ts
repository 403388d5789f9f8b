import { setImmediate } from 'node:timers/promises';

/** A piece that takes most of a millisecond to make. */
const LONG_PIECE_BYTES = 64 * 1024;

/**
 * The pieces of an answer; others are served after each long one. To a fast client all that has come would be made and written
 * at once: for 40 ms of results, for 300 of logs, which come compressed.
 */
export async function* inTurns<Piece extends Uint8Array | string>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    yield piece;
    if (piece.length >= LONG_PIECE_BYTES) await setImmediate();
  }
}
