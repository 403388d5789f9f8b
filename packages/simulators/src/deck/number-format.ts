/**
 * Numbers as the four simulators' decks spell them. JavaScript's own text differs: it changes to exponents at other
 * magnitudes, drops the decimal point of whole numbers, and rounds ties up.
 */

/** Decimal exponents from which on the shortest text has an exponent. */
const EXPONENT_BELOW = -4;
const EXPONENT_FROM = 16;
const SIGNIFICANT_DIGITS = 6;

/** A number does not fit into the characters that a fixed column leaves. */
export class NumberTooWideError extends RangeError {
  constructor(value: number, width: number) {
    super(`${value} does not fit into ${width} characters`);
    this.name = 'NumberTooWideError';
  }
}

/**
 * Shortest text that reads back as the same number, always recognisable as a real number: `5.0`, `0.1`, `1e-05`,
 * `1e+16`; exponents have a sign and two digits at least.
 */
export function formatShort(value: number): string {
  if (value === 0) return '0.0';
  const { sign, digits, exponent } = decompose(value.toExponential());
  if (exponent < EXPONENT_BELOW || exponent >= EXPONENT_FROM) {
    return `${sign}${withPoint(digits, 1, false)}${exponentText('e', exponent)}`;
  }
  return sign + plainText(digits, exponent, true);
}

/**
 * The number rounded so that {@link formatShort} of it has at most `width` characters.
 * @throws NumberTooWideError when its whole part alone is too long
 */
export function fitNumber(value: number, width: number): number {
  if (value === 0) return 0;
  const available = width - 1 - (value < 0 ? 1 : 0);
  const whole = Math.ceil(Math.log10(Math.abs(value)));
  if (whole > available - 1) throw new NumberTooWideError(value, width);
  let fitted = value;
  // One digit fewer where rounding, a power of ten or an exponent makes the text longer than foreseen.
  for (let decimals = available - Math.max(whole, 1); decimals >= 0; decimals -= 1) {
    fitted = roundHalfEven(value, decimals);
    if (formatShort(fitted).length <= width) return fitted;
  }
  throw new NumberTooWideError(value, width);
}

/** {@link fitNumber}, as text of at most `width` characters. */
export function formatFit(value: number, width: number): string {
  return formatShort(fitNumber(value, width));
}

/** C's `%g`: six significant digits, no trailing zeros, exponent below 1e-4 and from 1e6 on: `0.5`, `1e-05`, `1e+06`. */
export function formatG(value: number, significant = SIGNIFICANT_DIGITS): string {
  if (value === 0) return '0';
  const { sign, digits, exponent } = decompose(value.toExponential(significant - 1));
  if (exponent < EXPONENT_BELOW || exponent >= significant) {
    return `${sign}${withPoint(digits, 1, false)}${exponentText('e', exponent)}`;
  }
  return sign + plainText(digits, exponent, false);
}

/** C's `%.{decimals}E`: `1.235E+02`. */
export function formatE(value: number, decimals = 3): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(decimals).split('e');
  return mantissa + exponentText('E', Number(exponent));
}

/** Fitted into `width` characters, sign and decimal point always shown: `+20.0`, `-0.5`, `+1.e-05`. */
export function formatSigned(value: number, width: number): string {
  const text = formatFit(value, width - 1);
  const [mantissa = '', exponent] = text.split('e');
  const pointed = mantissa.includes('.') || exponent === undefined ? mantissa : `${mantissa}.`;
  const signed = pointed.startsWith('-') ? pointed : `+${pointed}`;
  return exponent === undefined ? signed : `${signed}e${exponent}`;
}

/** Rounded to `decimals` places after the point, exact ties to the even digit, never −0. */
function roundHalfEven(value: number, decimals: number): number {
  const magnitude = Math.abs(value);
  const up = Number(magnitude.toFixed(decimals));
  const step = 10 ** -decimals;
  // toFixed works on the exact value and rounds a tie up. A tie has a finite binary fraction, so both distances are exact.
  const down = Number((up - step).toFixed(decimals));
  const isTie = up > magnitude && up - magnitude === magnitude - down && isExactTie(magnitude, decimals);
  const rounded = isTie && Math.round(up / step) % 2 === 1 ? down : up;
  return rounded === 0 ? 0 : Math.sign(value) * rounded;
}

/** Whether the decimal expansion ends with a 5 just after the last place that is kept. */
function isExactTie(magnitude: number, decimals: number): boolean {
  const digitsMax = 100;
  const expansion = magnitude.toFixed(digitsMax);
  const tail = expansion.slice(expansion.indexOf('.') + 1 + decimals);
  return /^50*$/.test(tail);
}

function decompose(exponential: string): { sign: string; digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = exponential.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '').replace(/0+$/, '') || '0';
  return { sign, digits, exponent: Number(exponent) };
}

function exponentText(letter: string, exponent: number): string {
  return `${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Digits with the point after the first `whole` of them; a whole number keeps `.0` where `isReal`. */
function withPoint(digits: string, whole: number, isReal: boolean): string {
  const fraction = digits.slice(whole);
  if (fraction !== '') return `${digits.slice(0, whole)}.${fraction}`;
  return digits.slice(0, whole) + (isReal ? '.0' : '');
}

function plainText(digits: string, exponent: number, isReal: boolean): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  return withPoint(digits.padEnd(exponent + 1, '0'), exponent + 1, isReal);
}
