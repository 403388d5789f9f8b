import { setImmediate } from 'node:timers/promises';
import { compareBins, type DoseGrid, differencesOf, type GammaResult, gammaIndex } from '@tally/merge';
import type { Reader } from '../job-access.js';
import { countNumbers, type NumberPage } from '../page/number-page.js';
import { WHOLE } from '../page/page-view.js';
import type { PageSelection } from '../page/selection.js';
import { type Problem, readingsOf } from './page-readings.js';
import {
  openResults,
  type ReadablePage,
  type ReadableResults,
  type ReadableResultsPorts,
  selectPages,
} from './readable-results.js';

/** When doses agree. */
export interface GammaLimits {
  readonly dosePercent: number;
  readonly distanceMm: number;
  readonly cutoffPercent: number;
  /** Whether γ of each bin is wanted. */
  readonly isMapped: boolean;
}

/** A piece of an answer: the header, then the JSON text of the list of estimators. */
export type ComparisonPart =
  | { readonly kind: 'header'; readonly version: string }
  | { readonly kind: 'text'; readonly text: string };

/** Bins of a page that is compared at most: about ten arrays of them are held. */
const BINS_MAX = 1024 * 1024;
/** Places at which gamma may look in all; each takes about a microsecond. */
const GAMMA_PLACES_MAX = 5e7;
/** Larger γ of a bin is told as this number: how far doses are apart that agree nowhere near, nobody asks. */
const GAMMA_MAX = 2;
/** Places around a bin by the number of axes: those of a grid of tenths within the distance. */
const PLACES_OF_AXES = [1, 21, 317, 4169];
/** Numbers of one piece of text: with 24 characters each it stays below a message's limit. */
const NUMBERS_AT_ONCE = 8 * 1024;
const NO_PARTNER = 'the other job has no such page';
const ONLY_OTHER = 'only the other job has this page';
const MILLIMETRES: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000, um: 0.001 };

/**
 * Compares the results of another job with those of this one, page by page; pages are the same by estimator, name
 * and axes: numbers shift where a quantity was left out. Pages that only the other job has are listed, unless numbers select pages.
 * All differences are the other less this one.
 * @throws ServiceError as getResults does, of either job
 */
export async function* compareResults(
  ports: ReadableResultsPorts,
  { jobId, withJobId }: { readonly jobId: string; readonly withJobId: string },
  selection: PageSelection,
  gamma: GammaLimits,
  readers: { readonly reader: Reader; readonly withReader: Reader },
): AsyncGenerator<ComparisonPart> {
  const results = await openResults(ports, jobId, readers.reader);
  const other = await openResults(ports, withJobId, readers.withReader);
  const partnerOf = pairPages(results, other);
  const pages: ComparedPages[] = selectPages(results, selection).map((page) => ({ page, other: partnerOf(page) }));
  if (selection.ranges.length === 0) addPagesOfOther(pages, selectOthers(other, selection), pairPages(other, results));
  yield { kind: 'header', version: `${results.header.version}/${other.header.version}` };
  const problems = { own: results.header.description, other: other.header.description };
  let estimator: string | undefined;
  const close = () => (estimator === undefined ? '[' : ']},');
  for (const { page, other: partner } of pages) {
    const { estimatorName } = page.summary;
    const start = `${close()}${JSON.stringify({ name: estimatorName }).slice(0, -1)},"pages":[`;
    yield { kind: 'text', text: estimatorName === estimator ? ',' : start };
    estimator = estimatorName;
    for await (const text of comparePages(page, partner, problems, gamma)) yield { kind: 'text', text };
  }
  yield { kind: 'text', text: estimator === undefined ? '[]' : ']}]' };
}

/** A page, and what it is compared with, or why it is not. */
interface ComparedPages {
  readonly page: ReadablePage;
  readonly other: ReadablePage | string;
}

/** Finds the page of other results that has the same name; among several of one name, the one at the same place. */
function pairPages(own: ReadableResults, other: ReadableResults): (page: ReadablePage) => ReadablePage | string {
  const [ours, theirs] = [groupByName(own), groupByName(other)];
  return (page) => {
    const [same = [], candidates = []] = [ours.get(keyOf(page)), theirs.get(keyOf(page))];
    const at = same.findIndex(({ summary }) => summary.pageNumber === page.summary.pageNumber);
    if (candidates.length === 0) return NO_PARTNER;
    if (candidates.length !== same.length)
      return `this job has ${same.length} pages of this name, the other ${candidates.length}`;
    return candidates[at] ?? NO_PARTNER;
  };
}

function groupByName({ pages }: ReadableResults): ReadonlyMap<string, readonly ReadablePage[]> {
  const groups = new Map<string, ReadablePage[]>();
  for (const page of pages) groups.set(keyOf(page), [...(groups.get(keyOf(page)) ?? []), page]);
  return groups;
}

const keyOf = ({ summary }: ReadablePage) => JSON.stringify([summary.estimatorName, summary.pageName]);

const selectOthers = ({ pages }: ReadableResults, { estimatorName }: PageSelection) =>
  pages.filter(({ summary }) => estimatorName === undefined || summary.estimatorName === estimatorName);

/** Adds those without a partner, each behind the pages of its estimator. */
function addPagesOfOther(
  pages: ComparedPages[],
  others: readonly ReadablePage[],
  partnerOf: (page: ReadablePage) => ReadablePage | string,
): void {
  for (const page of others) {
    if (partnerOf(page) !== NO_PARTNER) continue;
    const last = pages.findLastIndex(({ page: { summary } }) => summary.estimatorName === page.summary.estimatorName);
    pages.splice(last === -1 ? pages.length : last + 1, 0, { page, other: ONLY_OTHER });
  }
}

async function* comparePages(
  page: ReadablePage,
  otherPage: ReadablePage | string,
  problems: { readonly own: Problem; readonly other: Problem },
  gamma: GammaLimits,
): AsyncGenerator<string> {
  const pair = await openPair(page, otherPage);
  if (typeof pair === 'string') {
    const { pageNumber: page_number, pageName: name } = page.summary;
    yield JSON.stringify({ ...(pair === ONLY_OTHER ? {} : { page_number }), name, not_compared: pair });
    return;
  }
  const { own, other } = pair;
  const { difference, ratio, chiSquare, degreesOfFreedom, differenceMax } = compareBins(other, own);
  const readingDifferences = differencesOf(
    await readingsOf(own.page, problems.own),
    await readingsOf(other.page, problems.other),
  );
  const { pageNumber: page_number, pageName: name, unit, axes } = own.page;
  const { values: gammaValues, ...gammaHead } = await gammaOf(own.page, other, own, gamma);
  const head = {
    page_number,
    name,
    unit,
    chi_square: chiSquare,
    degrees_of_freedom: degreesOfFreedom,
    difference_max: differenceMax,
    ...(readingDifferences.length === 0 ? {} : { reading_differences: readingDifferences }),
    ...gammaHead,
    axes: axes.map((axis) => ({ name: axis.name, unit: axis.unit })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"dimensions":[`;
  for (const [axis, centers] of own.centers.entries()) yield* list(axis === 0 ? '[' : ',[', centers, ']');
  yield '],';
  if (gammaValues !== undefined) yield* list(`"gamma_map":{"max":${GAMMA_MAX},"values":[`, gammaValues, ']},');
  yield* list('"difference":{"values":[', difference.values, '],');
  yield* list('"errors":[', difference.errors, ']},');
  yield* list('"ratio":{"values":[', ratio.values, '],');
  yield* list('"errors":[', ratio.errors, ']}}');
}

/** A page in memory. */
interface HeldPage extends DoseGrid {
  readonly page: NumberPage;
  readonly errors: Float64Array;
}

/** Both pages, or why they cannot be compared. */
async function openPair(
  page: ReadablePage,
  other: ReadablePage | string,
): Promise<{ readonly own: HeldPage; readonly other: HeldPage } | string> {
  if (typeof other === 'string') return other;
  const [a, b] = [await page.view(WHOLE), await other.view(WHOLE)];
  if (countNumbers(a) > BINS_MAX) return `the page has more than ${BINS_MAX} bins`;
  const [centersA, centersB] = [await centersOf(a), await centersOf(b)];
  const differing = differenceOf(a, b, centersA, centersB);
  if (differing !== undefined) return `the pages differ in ${differing}`;
  return {
    own: { page: a, centers: centersA, ...(await numbersOf(a)) },
    other: { page: b, centers: centersB, ...(await numbersOf(b)) },
  };
}

/** A list of numbers; what is not finite is null. */
function* list(start: string, numbers: Float64Array, end: string): Generator<string> {
  yield start;
  for (let from = 0; from < numbers.length; from += NUMBERS_AT_ONCE) {
    const piece = Array.from(numbers.subarray(from, from + NUMBERS_AT_ONCE));
    yield `${from === 0 ? '' : ','}${JSON.stringify(piece).slice(1, -1)}`;
  }
  yield end;
}

function differenceOf(a: NumberPage, b: NumberPage, gridA: Float64Array[], gridB: Float64Array[]): string | undefined {
  if (a.unit !== b.unit) return 'unit';
  const axesOf = ({ axes }: NumberPage) => JSON.stringify(axes);
  if (axesOf(a) !== axesOf(b)) return 'axes';
  const isSame = gridA.every((centers, axis) => centers.every((center, bin) => center === gridB[axis]?.[bin]));
  return isSame ? undefined : 'bin centres';
}

async function centersOf(page: NumberPage): Promise<Float64Array[]> {
  const centers: Float64Array[] = [];
  for (const axis of page.axes.keys()) centers.push(await page.centers(axis));
  return centers;
}

async function numbersOf(page: NumberPage) {
  const read = async (pieces: AsyncIterable<Float64Array>) => {
    const numbers = new Float64Array(countNumbers(page));
    let at = 0;
    for await (const piece of pieces) {
      numbers.set(piece, at);
      at += piece.length;
    }
    return numbers;
  };
  return { values: await read(page.values()), errors: await read(page.errors()) };
}

/** What is said of gamma, and γ of each bin where that is wanted. */
interface GammaSaid {
  readonly gamma?: object;
  readonly gamma_left_out?: string;
  readonly gamma_map_left_out?: string;
  readonly values?: Float64Array | undefined;
}

/** Of pages over one to three axes in space the gamma pass rate of the evaluated dose against the reference. */
async function gammaOf(
  page: NumberPage,
  evaluated: DoseGrid,
  reference: DoseGrid,
  limits: GammaLimits,
): Promise<GammaSaid> {
  const units = page.axes.map(({ unit }) => MILLIMETRES[unit]);
  const places = PLACES_OF_AXES[units.length];
  if (units.length === 0 || places === undefined || units.includes(undefined)) return {};
  if (places * reference.values.length > GAMMA_PLACES_MAX) return { gamma_left_out: 'the page has too many bins' };
  const inMillimetres = ({ centers, values }: DoseGrid): DoseGrid => ({
    values,
    centers: centers.map((all, axis) => all.map((center) => center * (units[axis] ?? 1))),
  });
  const { dosePercent, distanceMm: distance, cutoffPercent, isMapped } = limits;
  const criteria = { dosePercent, distance, cutoffPercent };
  const grids = [inMillimetres(reference), inMillimetres(evaluated)] as const;
  // a map looks at places up to the largest γ
  const isMap = isMapped && places * GAMMA_MAX ** units.length * reference.values.length <= GAMMA_PLACES_MAX;
  const {
    evaluated: bins,
    passed,
    values,
  } = await inTurns(gammaIndex(...grids, criteria, isMap ? GAMMA_MAX : undefined));
  if (bins === 0) return { gamma_left_out: 'no bin of the job has a dose' };
  return {
    values,
    ...(isMapped && !isMap ? { gamma_map_left_out: 'the page has too many bins' } : {}),
    gamma: {
      pass_rate: passed / bins,
      bins,
      dose_percent: dosePercent,
      distance_mm: distance,
      cutoff_percent: cutoffPercent,
    },
  };
}

/** Lets others have their turn in between. */
async function inTurns(work: Generator<undefined, GammaResult>): Promise<GammaResult> {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
    await setImmediate();
  }
}
