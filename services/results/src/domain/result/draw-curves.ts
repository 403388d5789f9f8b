import { fail } from '../errors.js';
import type { NumberPage } from '../page/number-page.js';
import { WHOLE } from '../page/page-view.js';
import { openResults, type ReadablePage, type ReadableResultsPorts } from './readable-results.js';

/** A line of a picture, with its errors. */
export interface Curve {
  /** What it is of; empty where there is one. */
  readonly label: string;
  readonly x: Float64Array;
  readonly values: Float64Array;
  /** Standard errors; NaN: not known. */
  readonly errors: Float64Array;
}

/** Curves over one axis. */
export interface CurvePlot {
  /** Name and unit, such as `Dose [MeV/g]`. */
  readonly xTitle: string;
  readonly yTitle: string;
  readonly curves: readonly Curve[];
}

/** Makes a PNG of curves. */
export type DrawPlot = (plot: CurvePlot) => Promise<Uint8Array>;

export interface DrawCurvesPorts extends ReadableResultsPorts {
  readonly drawPlot: DrawPlot;
}

/** A job, and what its curve is called. */
export interface DrawnJob {
  readonly jobId: string;
  readonly label: string;
}

export interface Drawing {
  readonly picture: Uint8Array;
  /** What it shows, in words. */
  readonly words: string;
}

/** More curves are not told apart. */
export const CURVES_MAX = 8;
/** Bins of a curve that is drawn: a picture has fewer points. */
const BINS_MAX = 20_000;

/**
 * Draws the first curve of jobs of one owner over each other: of each job the first page with one axis of several bins. Of several jobs, those
 * are drawn whose curve has the name and units of the first.
 * @returns undefined: none of them has a curve
 * @throws ServiceError SELECTION_INVALID for no job, or too many
 */
export async function drawCurves(
  ports: DrawCurvesPorts,
  ownerId: bigint,
  jobs: readonly DrawnJob[],
): Promise<Drawing | undefined> {
  if (jobs.length === 0 || jobs.length > CURVES_MAX) throw fail('SELECTION_INVALID');
  const drawn: { readonly page: NumberPage; readonly curve: Curve }[] = [];
  let first: NumberPage | undefined;
  for (const { jobId, label } of jobs) {
    const page = await findCurve(ports, ownerId, jobId, first);
    if (page === undefined) continue;
    first ??= page;
    drawn.push({ page, curve: await readCurve(page, jobs.length > 1 ? label : '') });
  }
  if (first === undefined) return undefined;
  const axis = longAxisOf(first);
  const { name = '', unit = '' } = first.axes[axis] ?? {};
  const plot = {
    xTitle: titleOf(name, unit),
    yTitle: titleOf(first.pageName, first.unit),
    curves: drawn.map(({ curve }) => curve),
  };
  const of = drawn.length > 1 ? `, ${drawn.length} jobs` : '';
  return {
    picture: await ports.drawPlot(plot),
    words: `${plot.yTitle} over ${plot.xTitle}${of}; the bands are standard errors.`,
  };
}

const titleOf = (name: string, unit: string) => (unit === '' ? name : `${name} [${unit}]`);
const longAxisOf = ({ axes }: Pick<NumberPage, 'axes'>) => axes.findIndex(({ size }) => size > 1);

/** The first page of a job that is a curve, and like the first one of another job; undefined: there is none, or it has no results. */
async function findCurve(
  ports: ReadableResultsPorts,
  ownerId: bigint,
  jobId: string,
  like: NumberPage | undefined,
): Promise<NumberPage | undefined> {
  let pages: readonly ReadablePage[];
  try {
    ({ pages } = await openResults(ports, jobId, { kind: 'user', userId: ownerId }));
  } catch {
    return undefined; // a job without results, or one that was deleted
  }
  for (const readable of pages) {
    const page = await readable.view(WHOLE);
    const long = page.axes.filter(({ size }) => size > 1);
    const isCurve = long.length === 1 && (long[0]?.size ?? 0) <= BINS_MAX;
    if (isCurve && (like === undefined || isAlike(page, like))) return page;
  }
  return undefined;
}

function isAlike(page: NumberPage, like: NumberPage): boolean {
  const [axis, other] = [page.axes[longAxisOf(page)], like.axes[longAxisOf(like)]];
  return page.pageName === like.pageName && page.unit === like.unit && axis?.unit === other?.unit;
}

async function readCurve(page: NumberPage, label: string): Promise<Curve> {
  return {
    label,
    x: await page.centers(longAxisOf(page)),
    values: await collect(page.values()),
    errors: await collect(page.errors()),
  };
}

async function collect(pieces: AsyncIterable<Float64Array>): Promise<Float64Array> {
  const numbers: number[] = [];
  for await (const piece of pieces) numbers.push(...piece);
  return Float64Array.from(numbers);
}
