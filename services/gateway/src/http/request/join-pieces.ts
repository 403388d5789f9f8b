import { setImmediate } from 'node:timers/promises';

/** Copied at once at most, bytes: about a millisecond, as the memory is new and comes page by page. */
const STEP_BYTES = 1_000_000;
/** What a piece costs beside its bytes, in bytes copied meanwhile: texts between numbers may be two million of three bytes. */
const PIECE_BYTES = 300;

/**
 * Pieces as one, others served meanwhile: tens of megabytes copied at once hold up the event loop. The pieces are taken out of their list as they are copied, so that they can go.
 */
export async function joinPieces(pieces: Buffer[]): Promise<Buffer> {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes <= STEP_BYTES) return Buffer.concat(pieces.splice(0));
  const whole = Buffer.allocUnsafeSlow(bytes);
  let [at, workBytes] = [0, 0];
  for (const [index, piece] of pieces.entries()) {
    whole.set(piece, at);
    at += piece.length;
    pieces[index] = NOTHING;
    workBytes += piece.length + PIECE_BYTES;
    if (workBytes < STEP_BYTES) continue;
    workBytes = 0;
    await setImmediate();
  }
  pieces.length = 0;
  return whole;
}

const NOTHING = Buffer.alloc(0);
