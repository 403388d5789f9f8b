/*
 * Where things lie in memory; src/number-module.ts fills the tables. Below is what the compiler needs for itself.
 */

/** 128-bit powers of ten, 10^-292 … 10^324: high and low 64 bits of each. */
export const POWERS: usize = 0x10000;
/** How often each symbol of the literal and length alphabet occurs, 32 bits each. */
export const COUNTS: usize = 0x12800;
/** Its codes, as `code | length << 24`. */
export const CODES: usize = 0x13000;
/** Codes of the lengths 0 … 258 with their extra bits, in the same form. */
export const LENGTH_CODES: usize = 0x13800;
/** Codes of the distances 0 … 31 with their extra bits, in the same form. */
export const DISTANCE_CODES: usize = 0x14000;
/** How often each byte occurs at every fourth place of the text, 32 bits each, four times. */
export const BYTE_COUNTS: usize = 0x14800;
/** Decimals of numbers that are about to be written. */
export const DECIMALS: usize = 0x15800;
/** Runs of a repeated number in the text: start, end and distance, 32 bits each. */
export const RUNS: usize = 0x18000;
/** Numbers to be written, float64. */
export const NUMBERS: usize = 0x30000;
/** The text. */
export const TEXT: usize = 0x40000;
/** Deflate data made from it. */
export const DATA: usize = 0x90000;
/** Codes of two bytes in a row, by both, in the same form as `CODES`; those of bytes that the text does not have are of no meaning. */
export const PAIR_CODES: usize = 0x100000;
/** For each exponent of a float64 what its numbers are multiplied by. */
export const SCALES: usize = 0x140000;
