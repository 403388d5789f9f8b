import { numberModule } from './number-module.js';

/** Text that is read at once, bytes; the module has room for more. */
const TEXT_BYTES_MAX = 256 * 1024;

/** Numbers that were read, in pieces, and how many bytes of the text they were. */
export interface ReadNumbers {
  readonly pieces: readonly Float64Array[];
  readonly endBytes: number;
}

/**
 * Reads the text inside of a JSON list of numbers from its beginning on, each as `JSON.parse` does. Stops before what is no JSON
 * number, and, which is as good as never, before a number that takes a longer way: one half between two float64, near the ends of
 * their range, or so long that the first 19 digits do not decide.
 */
export function readNumbers(text: Uint8Array): ReadNumbers {
  const module = numberModule();
  const pieces: Float64Array[] = [];
  let endBytes = 0;
  while (endBytes < text.length) {
    const piece = text.subarray(endBytes, endBytes + TEXT_BYTES_MAX);
    module.bytes.set(piece, module.TEXT.value);
    const count = module.readNumbers(piece.length, Number(endBytes + piece.length === text.length));
    if (count === 0) break;
    pieces.push(new Float64Array(module.bytes.buffer, module.NUMBERS.value, count).slice());
    endBytes += module.readEnd() - module.TEXT.value;
  }
  return { pieces, endBytes };
}
