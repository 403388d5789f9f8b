const INTEGER = /^[+-]?\d+$/;
const REAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/;

/**
 * The whole number that a word of a deck is, as a whole: `1_000`, `1000k` and `1000;0` are none. Every driver reads numbers
 * of histories and seeds by it, so that none is cut where a simulator would read on, or would refuse it.
 * @param form - what the simulator reads there: `integer` digits alone; `real` also `1e6`, `1.0E+06` and Fortran's `1D6`
 */
export function readWholeNumber(word: string | undefined, form: 'integer' | 'real'): number | undefined {
  if (word === undefined || !(form === 'integer' ? INTEGER : REAL).test(word)) return undefined;
  const value = Number(word.replace(/[dD]/, 'e'));
  return Number.isSafeInteger(value) ? value : undefined;
}
