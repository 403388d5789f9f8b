/**
 * CRC-32 of two texts in a row from the CRCs of each, without the texts.
 *
 * A CRC-32 (RFC 1952, section 8) is a remainder of polynomials over GF(2) modulo P; its conditioning at both ends cancels
 * out here. Appending n bytes multiplies what came before by x^(8n), so
 * `crc(a + b) = crc(a) · x^(8 · length(b)) mod P  xor  crc(b)`, and the power is found by squaring. zlib documents the
 * same identity for its crc32_combine.
 */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  let shift = ONE;
  let power = X_TO_8;
  for (let length = secondLength; length > 0; length = Math.floor(length / 2)) {
    if (length % 2 === 1) shift = multiply(shift, power);
    power = multiply(power, power);
  }
  return (multiply(first, shift) ^ second) >>> 0;
}

/** P without its x^32. As everywhere in this CRC the highest bit stands for x^0, the lowest for x^31. */
const P = 0xedb88320;
const ONE = 0x80000000;
const X_TO_8 = 0x00800000;

/** Product of two polynomials modulo P: for each power in `a`, from x^0 on, adds `b` times that power. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ P;
  }
  return product >>> 0;
}
