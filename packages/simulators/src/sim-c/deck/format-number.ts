import { formatG } from '../../deck/number-format.js';

/** Enough for any coordinate, few enough to hide what binary fractions add. */
const DIGITS = 14;

/** A number as macros and GDML have it: `0`, `20`, `0.05`, `1e-05`. */
export function formatNumber(value: number): string {
  return formatG(value, DIGITS);
}
