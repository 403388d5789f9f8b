/**
 * The output of one task, as every simulator's output reader makes it and as it travels to the results service:
 * pages of raw sums, never of averages, so that tasks of any size combine exactly (docs/engine.md, "Merging").
 */

/**
 * How the numbers of a page combine over tasks.
 * - `linear`: per-primary quantity (dose, fluence, energy): Σsum / Σprimaries.
 * - `ratio`: quotient of two linear tallies (LET, mean energy): Σnumerator / Σdenominator.
 * - `average`: a per-task mean without denominator, from codes that report only that: weighted by primaries.
 * - `counter`: plain count: added up.
 * - `map`: a property of the geometry (zone, material, density): the first task's.
 * - `list`: records (particles of a phase space), as many as each task has: one task's after the other's.
 */
export type PageKind = 'linear' | 'ratio' | 'average' | 'counter' | 'map' | 'list';

/**
 * The arrays a page of each kind carries, in this order; each has one number per bin.
 * With b running over the batches of the task, s_b the batch's sum and n_b its primaries:
 * `sum` = Σ s_b, `sumSquares` = Σ s_b²/n_b; for ratios a = numerator, d = denominator, and
 * `crossProducts` = Σ a_b·d_b/n_b. For `average` the batch is the whole task: sum = n·x, sumSquares = n·x².
 */
export const MOMENTS = {
  linear: ['sum', 'sumSquares'],
  ratio: ['numerator', 'denominator', 'numeratorSquares', 'denominatorSquares', 'crossProducts'],
  average: ['sum', 'sumSquares'],
  counter: ['sum'],
  map: ['value'],
  list: ['records'],
} as const satisfies Record<PageKind, readonly string[]>;

/** One axis of a page. `centers`: bin centres, ascending, in `unit`. */
export interface Axis {
  readonly name: string;
  readonly unit: string;
  readonly centers: readonly number[];
}

/** Name and unit of an axis of bins that no other one accounts for: they can only be numbered. */
export const NUMBERED_AXIS = { name: 'bin', unit: '' };

/** The centres of such bins: 1, 2 … There may be as many as values: a loop takes half of what Array.from does. */
export function binNumbers(count: number): number[] {
  const numbers: number[] = [];
  for (let bin = 1; bin <= count; bin += 1) numbers.push(bin);
  return numbers;
}

/** A page with its numbered bins in a list, as one axis more. */
export function withListedBins<
  Page extends { readonly axes: readonly Axis[]; readonly numberedBins?: number | undefined },
>(page: Page): Omit<Page, 'numberedBins'> {
  const { numberedBins, axes, ...rest } = page;
  if (numberedBins === undefined) return page;
  return { ...rest, axes: [...axes, { ...NUMBERED_AXIS, centers: binNumbers(numberedBins) }] } as Omit<Page, 'numberedBins'>; // biome-ignore format: one line
}

/** What a page is, without its numbers: equal in every task of a job, but for `recordCount`. */
export interface PageHeader {
  /** Name of the project's output; estimators keep the project's order. */
  readonly estimatorName: string;
  /** Name of the estimator in the file the simulator wrote. */
  readonly fileName: string;
  /** Within its estimator: from 1, or as an external worker numbers its pages, from 0. */
  readonly pageNumber: number;
  readonly pageName: string;
  readonly kind: PageKind;
  readonly unit: string;
  /** Factor applied to the merged value and its error, and nowhere before (rescale, absolute primaries). */
  readonly scale: number;
  /** First axis fastest in every array; no axes: one number. */
  readonly axes: readonly Axis[];
  /**
   * Records of a `list`, of this task or of all that were merged, and of no other page; its one axis are the columns of
   * a record. Absent where the page of no certain task is meant.
   */
  readonly recordCount?: number;
}

/** A page with its numbers. `moments[i]` is the array named `MOMENTS[kind][i]`, length as `countBins` says. */
export interface TaskPage extends PageHeader {
  readonly moments: readonly Float64Array[];
  /**
   * What float64 leaves of each number of `moments`, where it is known: together they are exact sums, and merging does not
   * depend on how histories are split into tasks (ADR 13).
   */
  readonly remainders?: readonly Float64Array[];
}

/** Something in what a simulator wrote that is shown all the same, but not as what it is or not whole. */
export interface OutputWarning {
  /** Stable word for programs, UPPER_SNAKE. */
  readonly code: string;
  /** Sentence for people, naming the file. */
  readonly message: string;
}

/** Everything one task computed. */
export interface TaskOutput {
  /** Histories completed: the n that the sums belong to. */
  readonly primaries: number;
  /** Number of batches behind the sums of squares (1 for codes that report only a result per run). */
  readonly batches: number;
  /** Who computed it, as shown to users, for example `reference 0.1.0`. */
  readonly engine: string;
  /** Free counters of the run (energy balance, lost particles): added up over tasks. */
  readonly counters: Readonly<Record<string, number>>;
  /** Shown with the results, each once for all tasks; absent: none. At most {@link WARNINGS_MAX}. */
  readonly warnings?: readonly OutputWarning[];
  readonly pages: readonly TaskPage[];
}
