/** How large the error of a page was when so many primaries had been merged. */
export interface ConvergencePoint {
  readonly primaries: number;
  readonly relativeError: number;
}

/** A number as a place between two others on a logarithmic axis, 0 … 1. */
export type LogScale = (value: number) => number;

/** The places of a record of convergence, both axes logarithmic; errors fall as 1/√n, so they go down in a straight line. */
export interface ConvergencePlot {
  readonly x: LogScale;
  /** From below. */
  readonly y: LogScale;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
}

const MARGIN = 1.25;

function scaleOf(values: readonly number[]): { readonly scale: LogScale; readonly ticks: number[] } {
  const low = Math.log10(Math.min(...values) / MARGIN);
  const high = Math.log10(Math.max(...values) * MARGIN);
  return { scale: (value) => (Math.log10(value) - low) / (high - low), ticks: logTicks(low, high) };
}

const TICKS_MAX = 6;

/** 1, 2, 5 of each decade between two powers of ten, or decades alone where these would be too many. */
export function logTicks(low: number, high: number): number[] {
  const decades = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, i) => Math.floor(low) + i);
  const of = (digits: readonly number[]) =>
    decades
      .flatMap((decade) => digits.map((digit) => Number((digit * 10 ** decade).toPrecision(1))))
      .filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  const fine = of([1, 2, 5]);
  return fine.length <= TICKS_MAX ? fine : of([1]);
}

/**
 * @param points - at least one; errors above 0
 * @param target - relative error that is wanted
 * @param predicted - primaries it takes, as far as that is known
 */
export function convergencePlot(
  points: readonly ConvergencePoint[],
  target: number,
  predicted: number | undefined,
): ConvergencePlot {
  const x = scaleOf([...points.map(({ primaries }) => primaries), ...(predicted === undefined ? [] : [predicted])]);
  const y = scaleOf([...points.map(({ relativeError }) => relativeError), target]);
  return { x: x.scale, y: y.scale, xTicks: x.ticks, yTicks: y.ticks };
}
