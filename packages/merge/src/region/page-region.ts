import { MergeError } from '../merge-error.js';

/** What of one axis of a page is wanted, from bin `first` to bin `last`, both included. */
export interface AxisSelection {
  /** Position among the axes of the page, from 0: the fastest in memory. */
  readonly axis: number;
  readonly first: number;
  readonly last: number;
  /** `bins`: the axis stays, with these bins. `bin`: one bin, and no axis any more. `sum`: their sum, and no axis. */
  readonly take: 'bins' | 'bin' | 'sum';
}

/** Part of one axis. */
interface AxisPart {
  /** Bins of the whole axis. */
  readonly size: number;
  readonly first: number;
  /** Bins of the part. */
  readonly count: number;
  readonly take: AxisSelection['take'];
}

/** Part of a page: a rectangular set of its bins, and what becomes of its axes. */
export interface PageRegion {
  readonly axes: readonly AxisPart[];
}

/** Bins that follow each other in memory, the first one included. */
export interface BinRun {
  readonly from: number;
  readonly count: number;
}

/**
 * The part of a page with axes of these sizes that is wanted; axes that are not named are wanted whole.
 * @throws MergeError `NO_SUCH_AXIS` when the page does not have an axis, or the axis not these bins
 */
export function selectRegion(sizes: readonly number[], selections: readonly AxisSelection[]): PageRegion {
  const unknown = selections.find(({ axis }) => !(axis in sizes));
  if (unknown !== undefined) {
    const has = sizes.length === 0 ? 'no axis' : `axes 0 to ${sizes.length - 1}`;
    throw new MergeError('NO_SUCH_AXIS', `axis ${unknown.axis} does not exist: the page has ${has}`);
  }
  const axes = sizes.map((size, axis): AxisPart => {
    const selected = selections.find((selection) => selection.axis === axis);
    if (selected === undefined) return { size, first: 0, count: size, take: 'bins' };
    const { first, take } = selected;
    const last = Math.min(selected.last, take === 'bin' ? selected.last : size - 1);
    if (first >= size || last >= size || last < first) {
      throw new MergeError('NO_SUCH_AXIS', `axis ${axis} has no bin ${Math.max(first, last)}: it has ${size}, from 0`);
    }
    return { size, first, count: last - first + 1, take };
  });
  return { axes };
}

/** Sizes of the axes that a region still has, the fastest first. */
export function regionSizes({ axes }: PageRegion): number[] {
  return axes.filter(({ take }) => take === 'bins').map(({ count }) => count);
}

/** Bins of the page that lie in the region. */
export function countRegionBins({ axes }: PageRegion): number {
  return axes.reduce((product, { count }) => product * count, 1);
}

/** Where the bins of a region lie in the page: as few runs as there are, in ascending order. */
export function* regionRuns({ axes }: PageRegion): Generator<BinRun> {
  // axes below `whole` are wanted whole: a run goes through all of them and through the part of the next one
  let whole = 0;
  let stride = 1;
  for (; axes[whole] !== undefined && axes[whole]?.count === axes[whole]?.size; whole += 1) {
    stride *= axes[whole]?.size ?? 1;
  }
  const { size = 1, first = 0, count = 1 } = axes[whole] ?? {};
  const outer = axes.slice(whole + 1);
  const strides: number[] = [];
  let outerStride = stride * size;
  for (const axis of outer) {
    strides.push(outerStride);
    outerStride *= axis.size;
  }
  const at = outer.map(() => 0);
  for (;;) {
    const base = outer.reduce((sum, axis, index) => sum + (axis.first + (at[index] ?? 0)) * (strides[index] ?? 0), 0);
    yield { from: base + first * stride, count: count * stride };
    let index = 0;
    for (; index < outer.length; index += 1) {
      at[index] = (at[index] ?? 0) + 1;
      if ((at[index] ?? 0) < (outer[index]?.count ?? 0)) break;
      at[index] = 0;
    }
    if (index === outer.length) return;
  }
}

/** Adds the numbers of a region up along the axes whose sum is wanted. */
export class RegionSum {
  /** One number for each bin that is left, first axis fastest. */
  readonly sums: Float64Array<ArrayBuffer>;
  readonly #counts: readonly number[];
  /** How far the bin of the sum moves when the bin of an axis moves by one: 0 along axes that are summed. */
  readonly #steps: readonly number[];
  readonly #at: number[];
  #target = 0;

  constructor(region: PageRegion) {
    this.sums = new Float64Array(regionSizes(region).reduce((product, size) => product * size, 1));
    this.#counts = region.axes.map(({ count }) => count);
    let stride = 1;
    this.#steps = region.axes.map(({ count, take }) => {
      if (take !== 'bins') return 0;
      const step = stride;
      stride *= count;
      return step;
    });
    this.#at = this.#counts.map(() => 0);
  }

  /** The next numbers of the region, in the order of their bins. */
  add(numbers: Float64Array): void {
    const [count = 1] = this.#counts;
    const [step = 0] = this.#steps;
    for (let index = 0; index < numbers.length; ) {
      const first = this.#at[0] ?? 0;
      const length = Math.min(count - first, numbers.length - index);
      let target = this.#target;
      for (const stop = index + length; index < stop; index += 1, target += step) {
        this.sums[target] = (this.sums[target] ?? 0) + (numbers[index] ?? 0);
      }
      this.#target = target;
      this.#at[0] = first + length;
      if (this.#at[0] === count) this.#carry();
    }
  }

  /** To the next bin of the second axis, or of the one after it. */
  #carry(): void {
    for (let axis = 0; axis < this.#counts.length; axis += 1) {
      const count = this.#counts[axis] ?? 1;
      if ((this.#at[axis] ?? 0) < count) return;
      this.#at[axis] = 0;
      this.#target -= count * (this.#steps[axis] ?? 0);
      if (axis + 1 === this.#counts.length) return;
      this.#at[axis + 1] = (this.#at[axis + 1] ?? 0) + 1;
      this.#target += this.#steps[axis + 1] ?? 0;
    }
  }
}
