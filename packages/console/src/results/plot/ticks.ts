import { scaleLinear } from 'd3-scale';
import { raised } from './rich-text.js';

/** A place of an axis with its number. */
export interface Tick {
  readonly at: number;
  /** Empty: a mark without a number. */
  readonly words: string;
}

/** Marks of an axis; numbers are in units of ten to the exponent. */
export interface AxisTicks {
  readonly ticks: readonly Tick[];
  /** 0: numbers are as they are. */
  readonly exponent: number;
}

/** A number as a figure has it: a real minus, and no exponent. */
export const plain = (value: number, decimals: number): string => value.toFixed(decimals).replace('-', '−');

/** Beyond these powers of ten a common power stands at the end of the axis. */
const PLAIN_POWERS = { low: -2, high: 4 };

const decimalsOf = (step: number): number => Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/** Round places between two numbers, about `count` of them. */
export function linearTicks(low: number, high: number, count: number): AxisTicks {
  if (!(high > low)) return { ticks: [{ at: low, words: plain(low, 0) }], exponent: 0 };
  const at = scaleLinear([low, high], [0, 1]).ticks(count);
  const largest = Math.max(...at.map(Math.abs));
  const power = largest === 0 ? 0 : Math.floor(Math.log10(largest) + 1e-9);
  const exponent = power < PLAIN_POWERS.low || power > PLAIN_POWERS.high ? power : 0;
  const step = at.length < 2 ? high - low : (at[1] ?? 0) - (at[0] ?? 0);
  const decimals = decimalsOf(step / 10 ** exponent);
  return {
    ticks: at.map((place) => ({ at: place, words: plain(place / 10 ** exponent || 0, decimals) })),
    exponent,
  };
}

/** `10⁻³`, or `0.01` where that is as short. */
function powerWords(power: number, isPlain: boolean): string {
  return isPlain ? plain(10 ** power, Math.max(0, -power)) : `10${raised(power)}`;
}

/** Powers of ten with their multiples as marks; numbers at 1, 2, 5 where there are few decades. */
export function logarithmicTicks(low: number, high: number, count: number): AxisTicks {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const decades = Math.log10(high / low);
  if (decades < 0.7) return linearTicks(low, high, count);
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const isPlain = powers.every((power) => power >= PLAIN_POWERS.low && power <= PLAIN_POWERS.high);
  const every = Math.max(1, Math.ceil(decades / count));
  const numbered = decades <= 1.6 && isPlain ? [1, 2, 5] : [1];
  const all = powers.flatMap((power) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => {
      const at = Number((digit * 10 ** power).toPrecision(1));
      const hasWords = numbered.includes(digit) && power % every === 0;
      const words = digit === 1 ? powerWords(power, isPlain) : plain(at, Math.max(0, -power));
      return { at, words: hasWords ? words : '' };
    }),
  );
  const inside = all.filter(({ at }) => at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9));
  // many decades: marks between them would be a grey bar
  return { ticks: decades > 8 ? inside.filter(({ words }) => words !== '') : inside, exponent: 0 };
}

/** A number without zeros at the end of its decimals. */
const trimmed = (words: string): string => (words.includes('.') ? words.replace(/\.?0+$/, '') : words);

/** Significant digits of an error. */
const ERROR_DIGITS = 2;

/**
 * A value with its standard error and unit, the error to two digits and the value to as many decimals: `(1.234 ± 0.012)×10⁻³ MeV/g`.
 * @param error - null or NaN: not known
 */
export function measured(value: number, error: number | null | undefined, unit: string): string {
  const suffix = unit === '' ? '' : ` ${unit}`;
  const isKnown = error !== null && error !== undefined && Number.isFinite(error) && error > 0;
  const largest = Math.max(Math.abs(value), isKnown ? error : 0);
  if (largest === 0) return `0${suffix}`;
  const power = Math.floor(Math.log10(largest));
  const exponent = power < PLAIN_POWERS.low || power > PLAIN_POWERS.high ? power : 0;
  const scale = 10 ** exponent;
  const decimals = isKnown
    ? decimalsOf(10 ** (Math.floor(Math.log10(error / scale)) - ERROR_DIGITS + 1))
    : decimalsOf(10 ** (power - exponent - 3));
  const number = isKnown ? plain(value / scale, decimals) : trimmed(plain(value / scale, decimals));
  const times = exponent === 0 ? '' : `×10${raised(exponent)}`;
  if (!isKnown) return `${number}${times}${suffix}`;
  const both = `${number} ± ${plain(error / scale, decimals)}`;
  return exponent === 0 ? `${both}${suffix}` : `(${both})${times}${suffix}`;
}
