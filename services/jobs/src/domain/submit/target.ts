/** Jobs that go on until their results are good enough: the rules, without a database. */

/** How good the results of a job are to be. */
export interface Target {
  readonly estimator: string;
  /** Null: all pages of the estimator, of which the largest error counts. */
  readonly page: number | null;
  /** Mean relative standard error over the bins above half of the page's maximum, as a fraction. */
  readonly relativeError: number;
  /** It ends with these in any case. */
  readonly maxPrimaries: number;
}

/** What a merge came to. */
export interface ConvergencePoint {
  readonly primaries: number;
  /** Null: not known. */
  readonly relativeError: number | null;
  /** ISO 8601. */
  readonly time: string;
}

/** A target, and how near a job has come to it. */
export interface Convergence extends Target {
  /** One for each merge, ascending. */
  readonly points: readonly ConvergencePoint[];
  /** Null: the job goes on. */
  readonly isReached: boolean | null;
}

/** A chunk is no larger than this share of the most: so many chunks there are at least. */
export const CHUNKS_MIN = 10;
/** From afar only so much of the way is gone: the error says more from near by. */
const APPROACH = 0.8;
/** Nearer than this the rest of the way is gone at once. */
const NEAR = 1.25;
/** Beyond what is predicted: at exactly that, the error is above the target every other time. */
const MARGIN = 1.02;

/** Primaries of the first chunk of a project that asks for so many itself. */
export const firstChunk = ({ maxPrimaries }: Target, primaries: number): number =>
  Math.min(primaries, Math.floor(maxPrimaries / CHUNKS_MIN));

/** In all, until the target, by the last error that is known (an error falls with the root of the primaries); null: none is. */
export function predictPrimaries({ relativeError, points }: Convergence): number | null {
  const last = points.findLast((point) => point.relativeError !== null);
  if (last?.relativeError == null) return null;
  return Math.ceil(last.primaries * Math.max(1, (last.relativeError / relativeError) ** 2));
}

/** Seconds from the last point until the target, as fast as until then; null: not known. @param startTime - of the job */
export function predictSeconds(convergence: Convergence, startTime: Date): number | null {
  const [predicted, last] = [predictPrimaries(convergence), convergence.points.at(-1)];
  if (predicted === null || last === undefined || last.primaries === 0) return null;
  const seconds = Math.max(0, Date.parse(last.time) - startTime.getTime()) / 1000;
  return (seconds * Math.max(0, predicted - last.primaries)) / last.primaries;
}

/** Primaries to be added now; 0: it has ended, reached or with as many as it may have. */
export function nextChunk(convergence: Convergence): number {
  const { maxPrimaries, points } = convergence;
  const last = points.at(-1);
  if (last === undefined || isReachedBy(convergence)) return 0;
  const left = Math.max(0, maxPrimaries - last.primaries);
  const step = Math.max(1, Math.floor(maxPrimaries / CHUNKS_MIN));
  const needed = last.relativeError === null ? null : predictPrimaries(convergence);
  return Math.min(left, step, needed === null ? step : towards(needed, last.primaries));
}

function towards(needed: number, primaries: number): number {
  const goal = needed > NEAR * primaries ? APPROACH * needed : MARGIN * needed;
  return Math.max(1, Math.ceil(goal) - primaries);
}

/** Whether the last merge is as good as was asked for. */
export function isReachedBy({ relativeError: wanted, points }: Convergence): boolean {
  const error = points.at(-1)?.relativeError ?? null;
  return error !== null && error <= wanted;
}
