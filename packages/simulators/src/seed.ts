const SEED_MAX = 2n ** 64n - 1n;
const SEED_BYTES = 8;

/** A job's seed, an unsigned 64-bit integer in decimal without leading zeros. */
export type Seed = string & { readonly brand: 'Seed' };

/**
 * Reads a seed as a user gives it: a decimal text, or a number that JSON carries exactly.
 * @returns `undefined` for anything else, negative numbers and numbers of 2⁶⁴ and more included
 */
export function parseSeed(input: unknown): Seed | undefined {
  if (typeof input === 'number' && Number.isSafeInteger(input) && input >= 0) return toSeed(BigInt(input));
  if (typeof input === 'string' && /^\d{1,20}$/.test(input) && BigInt(input) <= SEED_MAX) return toSeed(BigInt(input));
  return undefined;
}

/**
 * The seed that eight random bytes stand for.
 * @throws RangeError on any other number of bytes
 */
export function seedFromBytes(bytes: Uint8Array): Seed {
  if (bytes.byteLength !== SEED_BYTES)
    throw new RangeError(`a seed takes ${SEED_BYTES} bytes, not ${bytes.byteLength}`);
  return toSeed(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0));
}

function toSeed(value: bigint): Seed {
  return value.toString() as Seed;
}
