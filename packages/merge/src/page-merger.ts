import { accumulateBins, type BinAccumulator } from './bin-accumulator.js';
import { MergeError } from './merge-error.js';
import { checkMoments, countBins } from './page-moments.js';
import type { PagePart } from './page-part.js';
import type { PageHeader } from './task-output.js';

/** The finished page of a job. Arrays: one number per bin, first axis fastest; `scale` has been applied to both. */
export interface MergedPage extends PageHeader {
  /** Always finite; 0 where nothing was scored and where a simulator gave no finite number. */
  readonly values: Float64Array;
  /** Standard error of each value; NaN where none is known. */
  readonly errors: Float64Array;
  /** Histories behind the page: of the tasks that were merged, not of the job. */
  readonly primaries: number;
  readonly tasksMerged: number;
  /** Bins in which a simulator gave a number that is not finite. */
  readonly nonFinite: number;
}

/**
 * Merges one page over tasks, one task at a time: it holds the memory of one page, however many tasks there are; of a
 * list, of the merged one.
 */
export interface PageMerger {
  /**
   * Adds one task. Add tasks in ascending number: floating-point sums depend on the order in their last digits, and
   * results must not depend on which task happened to end first.
   * @throws MergeError `INVALID_PART`; the merger is then as before
   */
  add(part: PagePart): void;
  /** The page of all tasks added so far; more may be added after. */
  finish(): MergedPage;
}

/**
 * A merger for the page of this header.
 * @param bins - that its parts have, when they have only some: bins do not depend on each other, so that a page can be
 * merged a slice after the other; a list is taken apart by its records and has no such number
 */
export function createPageMerger(header: PageHeader, bins?: number): PageMerger {
  const columns = bins ?? countBins({ axes: header.axes });
  const accumulator: BinAccumulator = accumulateBins(header.kind, columns);
  let primaries = 0;
  let tasksMerged = 0;
  return {
    add(part) {
      checkPart(header, header.kind === 'list' ? countListed(header, columns, part) : columns, part);
      accumulator.add(part);
      primaries += part.primaries;
      tasksMerged += 1;
    },
    finish() {
      const estimates = accumulator.finish(header.scale);
      const list = header.kind === 'list' ? { recordCount: estimates.values.length / columns } : {};
      return { ...header, ...list, ...estimates, primaries, tasksMerged };
    },
  };
}

/**
 * Merges a page over the tasks that gave it; see {@link PageMerger} for their order.
 * @throws MergeError `INVALID_PART`
 */
export function mergePage(header: PageHeader, parts: Iterable<PagePart>): MergedPage {
  const merger = createPageMerger(header);
  for (const part of parts) merger.add(part);
  return merger.finish();
}

/**
 * Makes sure that a task's page is the same page as another task's: equal in everything but its numbers, and how many
 * records a list has.
 * @throws MergeError `HEADER_MISMATCH`, naming estimator, page and what differs
 */
export function requireSamePage(expected: PageHeader, actual: PageHeader): void {
  const differing = PAGE_FIELDS.filter((field) => JSON.stringify(expected[field]) !== JSON.stringify(actual[field]));
  if (differing.length === 0) return;
  throw new MergeError('HEADER_MISMATCH', `${describePage(expected)}: tasks differ in ${differing.join(', ')}`);
}

const PAGE_FIELDS = [
  'estimatorName',
  'fileName',
  'pageNumber',
  'pageName',
  'kind',
  'unit',
  'scale',
  'axes',
] as const satisfies readonly Exclude<keyof PageHeader, 'recordCount'>[];

/** Numbers of a task's list: whole records, as many as there are. */
function countListed(header: PageHeader, columns: number, { moments: [records] }: PagePart): number {
  const numbers = records?.length ?? 0;
  if (numbers % columns === 0) return numbers;
  throw new MergeError('INVALID_PART', `${describePage(header)}: ${numbers} numbers in records of ${columns}`);
}

function checkPart(header: PageHeader, bins: number, { primaries, batches, moments, remainders }: PagePart): void {
  if (!Number.isSafeInteger(primaries) || primaries < 0) {
    throw new MergeError('INVALID_PART', `${describePage(header)}: ${primaries} primaries`);
  }
  if (!Number.isSafeInteger(batches) || batches < (primaries === 0 ? 0 : 1)) {
    throw new MergeError('INVALID_PART', `${describePage(header)}: ${batches} batches of ${primaries} primaries`);
  }
  checkMoments(header.kind, bins, moments);
  if (remainders !== undefined) checkMoments(header.kind, bins, remainders);
}

function describePage(header: PageHeader): string {
  return `page ${header.pageNumber} of estimator "${header.estimatorName}"`;
}
