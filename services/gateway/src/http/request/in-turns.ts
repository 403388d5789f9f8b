import { setImmediate } from 'node:timers/promises';

/** What takes most of a millisecond to make. */
const TURN_BYTES = 64 * 1024;

/**
 * The pieces of an answer; others are served after so many bytes. To a fast client all that has come would be made and written
 * at once, which holds up the event loop, the more so for logs, which come compressed.
 */
export async function* inTurns<Piece extends { readonly length: number }>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
): AsyncGenerator<Piece> {
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.length;
    if (bytes < TURN_BYTES) continue;
    bytes = 0;
    await setImmediate();
  }
}
