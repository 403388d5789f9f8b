/** A point of a curve to be fitted. */
export interface FitPoint {
  readonly x: number;
  readonly y: number;
  /** Standard error, above 0; null: not known. */
  readonly error: number | null;
}

export type FitKind = 'line' | 'power';

/** A curve through points by weighted least squares. */
export interface Fit {
  readonly kind: FitKind;
  /** Of `a + b x`, or of `α x^p`. */
  readonly parameters: readonly [number, number];
  /** Standard errors of the parameters. */
  readonly errors: readonly [number, number];
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /**
   * Whether the points are weighted by their errors. Without them, and where points scatter more than their errors say, the errors of the
   * parameters are from the scatter: multiplied by √(χ² / degrees of freedom) (Particle Data Group, Review of Particle Physics, 5.2.2).
   */
  readonly isWeighted: boolean;
  readonly at: (x: number) => number;
}

type Pair = readonly [number, number];
type Model = {
  readonly value: (x: number, p: Pair) => number;
  readonly gradient: (x: number, p: Pair) => Pair;
};

const MODELS: Readonly<Record<FitKind, Model>> = {
  line: { value: (x, [a, b]) => a + b * x, gradient: (x) => [1, x] },
  power: {
    value: (x, [alpha, p]) => alpha * x ** p,
    gradient: (x, [alpha, p]) => [x ** p, alpha * x ** p * Math.log(x)],
  },
};

const STEPS_MAX = 100;
const CONVERGED = 1e-12;
/** Of Levenberg's damping, and by which factor it changes. */
const DAMPING = { first: 1e-3, factor: 10, most: 1e12 };

interface Sums {
  readonly matrix: readonly [number, number, number];
  readonly vector: Pair;
  readonly chiSquare: number;
}

function sumsOf(points: readonly FitPoint[], weights: readonly number[], { value, gradient }: Model, p: Pair): Sums {
  let [aa, ab, bb, va, vb, chiSquare] = [0, 0, 0, 0, 0, 0];
  for (const [i, { x, y }] of points.entries()) {
    const weight = weights[i] ?? 1;
    const [da, db] = gradient(x, p);
    const residual = y - value(x, p);
    aa += weight * da * da;
    ab += weight * da * db;
    bb += weight * db * db;
    va += weight * da * residual;
    vb += weight * db * residual;
    chiSquare += weight * residual ** 2;
  }
  return { matrix: [aa, ab, bb], vector: [va, vb], chiSquare };
}

/** Where the fit begins: the line itself, of a power the line through the logarithms. */
function startOf(kind: FitKind, points: readonly FitPoint[]): Pair {
  if (kind === 'line') return [0, 0];
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y), error: null }));
  const line = leastSquares(
    'line',
    logs,
    logs.map(() => 1),
  );
  return line === undefined ? [1, 1] : [Math.exp(line.p[0]), line.p[1]];
}

/** Levenberg-Marquardt for two parameters; a line takes one step. */
function leastSquares(kind: FitKind, points: readonly FitPoint[], weights: readonly number[]) {
  const model = MODELS[kind];
  let p = startOf(kind, points);
  let sums = sumsOf(points, weights, model, p);
  let damping = kind === 'line' ? 0 : DAMPING.first;
  for (let step = 0; step < STEPS_MAX && damping < DAMPING.most; step += 1) {
    const [aa, ab, bb] = sums.matrix;
    const [da, db] = [aa * (1 + damping), bb * (1 + damping)];
    const determinant = da * db - ab * ab;
    if (!(determinant > 0)) return undefined;
    const move: Pair = [
      (db * sums.vector[0] - ab * sums.vector[1]) / determinant,
      (da * sums.vector[1] - ab * sums.vector[0]) / determinant,
    ];
    const next: Pair = [p[0] + move[0], p[1] + move[1]];
    const after = sumsOf(points, weights, model, next);
    if (!(after.chiSquare <= sums.chiSquare)) {
      if (damping === 0) break; // a line is found by the first step, but for rounding
      damping *= DAMPING.factor;
      continue;
    }
    const change = sums.chiSquare - after.chiSquare;
    [p, sums, damping] = [next, after, damping / DAMPING.factor];
    if (kind === 'line' && step > 0) break;
    if (change <= CONVERGED * sums.chiSquare) break;
  }
  return { p, sums };
}

/**
 * Fits a line `a + b x` or a power law `α x^p`, the Bragg-Kleeman rule for ranges over energies.
 * @returns undefined for fewer than three points, for a power law of values that are not above 0, and for points that determine nothing
 */
export function fit(kind: FitKind, points: readonly FitPoint[]): Fit | undefined {
  if (points.length < 3 || (kind === 'power' && points.some(({ x, y }) => !(x > 0 && y > 0)))) return undefined;
  const isWeighted = points.every(({ error }) => error !== null && error > 0);
  const weights = points.map(({ error }) => (isWeighted && error !== null ? 1 / error ** 2 : 1));
  const found = leastSquares(kind, points, weights);
  if (found === undefined || !found.p.every(Number.isFinite)) return undefined;
  const { matrix, chiSquare } = found.sums;
  const [aa, ab, bb] = matrix;
  const determinant = aa * bb - ab * ab;
  const degreesOfFreedom = points.length - 2;
  const reduced = chiSquare / degreesOfFreedom;
  const scale = Math.sqrt(isWeighted ? Math.max(1, reduced) : reduced);
  return {
    kind,
    parameters: found.p,
    errors: [scale * Math.sqrt(bb / determinant), scale * Math.sqrt(aa / determinant)],
    chiSquare,
    degreesOfFreedom,
    isWeighted,
    at: (x) => MODELS[kind].value(x, found.p),
  };
}
