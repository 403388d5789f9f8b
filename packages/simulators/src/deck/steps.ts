import { ConversionError } from '../conversion-error.js';

/**
 * Most steps of one conversion. A step is about a microsecond of a processor, whatever it is spent on: three hundred spheres that all cut
 * each other need as many, and a thousand figures that lie apart.
 */
export const STEPS_MAX = 3_000_000;

/*
 * The counter of the conversion that runs now. A conversion is synchronous, so that one counter for the module serves all of its parts, as
 * deep as they are, without each handing it on.
 */
let left = Number.POSITIVE_INFINITY;

/**
 * Runs synchronous work with at most so many {@link spendSteps}; what calls this within counts for both.
 * @throws ConversionError PROJECT_TOO_LARGE when it takes more
 */
export function limitSteps<T>(stepsMax: number, work: () => T): T {
  const before = left;
  const limit = Math.min(stepsMax, before);
  left = limit;
  try {
    return work();
  } finally {
    left = before - (limit - left);
  }
}

/** The result of work that takes at most so many steps; `undefined` when it takes more, whatever it makes of that. */
export function tryWithinSteps<T>(stepsMax: number, work: () => T): { readonly result: T } | undefined {
  return limitSteps(stepsMax, () => {
    try {
      const result = work();
      return left < 0 ? undefined : { result };
    } catch (err) {
      if (left < 0) return undefined;
      throw err;
    }
  });
}

/**
 * Counts steps, which need not be whole: of questions to the places of bodies, terms compared and written, rules read, elements made.
 * @throws ConversionError PROJECT_TOO_LARGE
 */
export function spendSteps(count = 1): void {
  left -= count;
  if (left >= 0) return;
  const message = `takes more than ${STEPS_MAX} steps to convert: fewer figures must overlap, and fewer quantities have long filters`;
  throw new ConversionError('PROJECT_TOO_LARGE', [{ path: '', message }]);
}
