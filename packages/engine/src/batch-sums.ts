import { MOMENTS, type TaskPage } from '@tally/merge';

import type { PageLayout } from './page-layout.js';
import { type PagePlace, type TallyGroup, type TallyLayout, UNIT_BINS } from './tally-layout.js';

/** What a batch scored: numbers of the units that it touched, ascending, and their sums one after the other. */
export interface TouchedSums {
  readonly units: Int32Array;
  readonly sums: Float64Array;
}

/** A unit's numbers among those of its batch, and the histories of the batch. */
interface Unit {
  readonly sums: Float64Array;
  readonly at: number;
  readonly firstBin: number;
  readonly primaries: number;
}

/** The moments of one page. */
class PageSums {
  readonly moments: readonly Float64Array[];

  constructor(
    private readonly layout: PageLayout,
    private readonly place: PagePlace,
    private readonly width: number,
  ) {
    this.moments = MOMENTS[layout.header.kind].map(() => new Float64Array(layout.bins));
  }

  add(unit: Unit): void {
    if (this.place.denominator < 0) this.addLinear(unit);
    else this.addRatio(unit);
  }

  private addLinear({ sums, at, firstBin, primaries }: Unit): void {
    const [sum, squares] = this.moments;
    const { bins, factors } = this.layout;
    if (sum === undefined || squares === undefined || factors === undefined) return;
    const { first, spatialBins, differential } = factors;
    const end = Math.min(bins, firstBin + UNIT_BINS);
    let from = at + this.place.sum;
    for (let i = firstBin; i < end; i++, from += this.width) {
      const raw = sums[from] ?? 0;
      if (raw === 0) continue;
      const spatial = i % spatialBins;
      const value = raw * (first[spatial % first.length] ?? 1) * (differential[(i - spatial) / spatialBins] ?? 1);
      sum[i] = (sum[i] ?? 0) + value;
      squares[i] = (squares[i] ?? 0) + (value * value) / primaries;
    }
  }

  private addRatio({ sums, at, firstBin, primaries }: Unit): void {
    const [numerator, denominator, numeratorSquares, denominatorSquares, cross] = this.moments;
    if (numerator === undefined || denominator === undefined || numeratorSquares === undefined) return;
    if (denominatorSquares === undefined || cross === undefined) return;
    const end = Math.min(this.layout.bins, firstBin + UNIT_BINS);
    let from = at;
    for (let i = firstBin; i < end; i++, from += this.width) {
      const a = sums[from + this.place.sum] ?? 0;
      const d = sums[from + this.place.denominator] ?? 0;
      if (d === 0 && a === 0) continue;
      numerator[i] = (numerator[i] ?? 0) + a;
      denominator[i] = (denominator[i] ?? 0) + d;
      numeratorSquares[i] = (numeratorSquares[i] ?? 0) + (a * a) / primaries;
      denominatorSquares[i] = (denominatorSquares[i] ?? 0) + (d * d) / primaries;
      cross[i] = (cross[i] ?? 0) + (a * d) / primaries;
    }
  }
}

/**
 * Adds batches into the moments of all pages. Batches must come in their order: then the sums are the same to the
 * last bit however many threads computed them.
 */
export class BatchSums {
  private readonly pages: readonly (PageSums | undefined)[];
  private readonly pagesOfGroup: readonly (readonly PageSums[])[];

  constructor(
    private readonly layouts: readonly PageLayout[],
    private readonly tally: TallyLayout,
  ) {
    this.pages = layouts.map((layout, i) => {
      const place = tally.places[i];
      return place && new PageSums(layout, place, tally.groups[place.group]?.width ?? 1);
    });
    this.pagesOfGroup = tally.groups.map((_, group) =>
      this.pages.filter((page, i) => page !== undefined && tally.places[i]?.group === group).filter(isThere),
    );
  }

  add({ units, sums }: TouchedSums, primaries: number): void {
    let group = 0;
    let firstUnit = 0;
    let at = 0;
    for (const unit of units) {
      let current: TallyGroup | undefined = this.tally.groups[group];
      while (current !== undefined && unit >= firstUnit + current.units) {
        firstUnit += current.units;
        current = this.tally.groups[++group];
      }
      const one = { sums, at, firstBin: (unit - firstUnit) * UNIT_BINS, primaries };
      for (const page of this.pagesOfGroup[group] ?? []) page.add(one);
      at += UNIT_BINS * (current?.width ?? 0);
    }
  }

  /** A page; `undefined` where it is not scored. */
  page(index: number): TaskPage | undefined {
    const layout = this.layouts[index];
    const page = this.pages[index];
    return layout && page && { ...layout.header, moments: page.moments };
  }
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
