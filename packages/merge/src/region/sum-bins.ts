import { MergeError } from '../merge-error.js';
import type { PagePart } from '../page-part.js';
import { MOMENTS, type PageKind } from '../task-output.js';

/**
 * The arrays of a page, by their place in `MOMENTS`, that are sums over histories and so may be summed over bins.
 * @throws MergeError `NOT_SUMMABLE` for maps and lists, whose numbers are no sums
 */
export function summableArrays(kind: PageKind): readonly number[] {
  switch (kind) {
    case 'linear':
    case 'average':
    case 'counter':
      return [MOMENTS[kind].indexOf('sum')];
    case 'ratio':
      return [MOMENTS[kind].indexOf('numerator'), MOMENTS[kind].indexOf('denominator')];
    case 'map':
    case 'list':
      throw new MergeError('NOT_SUMMABLE', `the numbers of a ${kind} page are no sums`);
  }
}

/**
 * A task's share of a page of sums over bins. Bins that one history reaches are correlated, so the error of their sum is not
 * to be had from their errors; the task counts as one batch, and the scatter of the tasks is the error.
 * @param sums - for each of {@link summableArrays} its sums over bins
 */
export function partOfSums(kind: PageKind, primaries: number, sums: readonly Float64Array[]): PagePart {
  const product = (a: Float64Array | undefined, b: Float64Array | undefined) =>
    (a ?? NONE).map((number, bin) => (primaries === 0 ? 0 : (number / primaries) * (b?.[bin] ?? 0)));
  const [a = NONE, d] = sums;
  const moments = ((): Float64Array[] => {
    switch (kind) {
      case 'linear':
      case 'average':
        return [a, product(a, a)];
      case 'ratio':
        return [a, d ?? NONE, product(a, a), product(d, d), product(a, d)];
      default:
        return [a];
    }
  })();
  return { primaries, batches: primaries === 0 ? 0 : 1, moments };
}

const NONE = new Float64Array(0);
