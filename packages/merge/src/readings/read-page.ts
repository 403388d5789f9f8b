import { describeCurve } from './describe-curve.js';
import type { ProblemDescription } from './problem-description.js';
import { type Curve, type Reading, readCurve } from './readings.js';

/** A page of one axis with its numbers. */
export interface CurvePage extends Omit<Curve, 'centers'> {
  readonly name: string;
  readonly unit: string;
  readonly axis: { readonly name: string; readonly unit: string; readonly centers: ArrayLike<number> };
}

/**
 * The numbers that are read off a page, by what it shows and what was simulated: the same ones for everybody who shows the page.
 * @param problem - empty: nothing is known of it
 */
export function readings({ name, unit, axis, ...curve }: CurvePage, problem: Partial<ProblemDescription>): Reading[] {
  return readCurve({ centers: axis.centers, ...curve }, describeCurve({ name, unit, axis }, problem));
}
