/*
 * Where things lie in memory; src/number-module.ts fills the table of powers. Below is what the compiler needs for itself.
 */

/** 128-bit powers of ten, 10^-292 … 10^324: high and low 64 bits of each. */
export const POWERS: usize = 0x10000;
/** Decimals of numbers that are about to be written. */
export const DECIMALS: usize = 0x13000;
/** What each row of a table begins with. */
export const PREFIX: usize = 0x14000;
/** For each exponent of a float64 what its numbers are multiplied by. */
export const SCALES: usize = 0x20000;
/** Numbers to be written, float64. */
export const NUMBERS: usize = 0x30000;
/** The text. */
export const TEXT: usize = 0x40000;
