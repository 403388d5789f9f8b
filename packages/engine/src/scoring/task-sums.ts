import { LongSums, MOMENTS, type TaskPage } from '@tally/merge';

import type { PageLayout } from './page-layout.js';
import type { BinAxis, PagePlace, TallyGroup, TallyLayout } from './tally-layout.js';

const ONE_BIN: BinAxis = { bins: 1, step: 1 };

/** What a thread has scored in some blocks of bins of a group. */
export interface ScoredBins {
  readonly group: number;
  /** Numbers of the blocks. */
  readonly blocks: Int32Array;
  /** Of each bin of each block in turn, as many as the group's stride. */
  readonly numbers: Float64Array;
}

/** Number of a bin in a page, of its number in the group. */
function pageBin({ axes: [fast = ONE_BIN, middle = ONE_BIN, slow = ONE_BIN] }: PagePlace, bin: number): number {
  const row = Math.floor(bin / fast.bins);
  const plane = Math.floor(row / middle.bins);
  const differential = Math.floor(plane / slow.bins);
  return (
    (bin - row * fast.bins) * fast.step +
    (row - plane * middle.bins) * middle.step +
    (plane - differential * slow.bins) * slow.step +
    differential * fast.bins * middle.bins * slow.bins
  );
}

/** The moments of one page. */
class PageSums {
  readonly moments: readonly LongSums[];

  constructor(
    layout: PageLayout,
    readonly place: PagePlace,
  ) {
    this.moments = MOMENTS[layout.header.kind].map(() => new LongSums(layout.bins));
  }

  /** Numbers lie in fours: two moments, and what float64 leaves of them. */
  add({ blocks, numbers }: ScoredBins, { bins, stride, blockBins }: TallyGroup): void {
    for (const [index, moment] of this.moments.entries()) {
      let at = this.place.moments[index] ?? 0;
      for (const block of blocks) {
        for (let bin = block * blockBins; bin < (block + 1) * blockBins; bin++, at += stride) {
          const number = numbers[at] ?? 0;
          // the last block may end behind the last bin
          if (number !== 0 && bin < bins) moment.addAt(pageBin(this.place, bin), number, numbers[at + 2] ?? 0);
        }
      }
    }
  }
}

/** Adds what threads have scored into the moments of all pages: exactly, in any order (ADR 13). */
export class TaskSums {
  private readonly pages: readonly (PageSums | undefined)[];

  constructor(
    private readonly layouts: readonly PageLayout[],
    private readonly tally: TallyLayout,
  ) {
    this.pages = layouts.map((layout, i) => {
      const place = tally.places[i];
      return place && new PageSums(layout, place);
    });
  }

  add(scored: ScoredBins): void {
    const group = this.tally.groups[scored.group];
    if (group === undefined) return;
    for (const page of this.pages) if (page?.place.group === scored.group) page.add(scored, group);
  }

  /** A page; `undefined` where it is not scored. */
  page(index: number): TaskPage | undefined {
    const layout = this.layouts[index];
    const page = this.pages[index];
    if (layout === undefined || page === undefined) return undefined;
    const moments = page.moments.map(({ sums }) => sums);
    return { ...layout.header, moments, remainders: page.moments.map(({ remainders }) => remainders) };
  }
}
