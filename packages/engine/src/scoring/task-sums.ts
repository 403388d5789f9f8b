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
  /** What float64 leaves of each; none: nothing. */
  readonly remainders?: Float64Array;
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

  /**
   * `isFirst`: of each block, whether nothing has been added to it before. Memory that is read before it is written costs two
   * page faults, and with threads beside it a message to each of their cores.
   */
  add(
    { blocks, numbers, remainders }: ScoredBins,
    { bins, stride, blockBins }: TallyGroup,
    isFirst: readonly boolean[],
  ): void {
    const { bins: rowBins, step } = this.place.axes[0] ?? ONE_BIN;
    for (const [index, moment] of this.moments.entries()) {
      let at = this.place.moments[index] ?? 0;
      for (const [entry, block] of blocks.entries()) {
        const starts = isFirst[entry] ?? false;
        let pageAt = 0;
        let leftInRow = 0;
        for (let bin = block * blockBins; bin < (block + 1) * blockBins; bin++, at += stride) {
          if (leftInRow === 0) {
            pageAt = pageBin(this.place, bin);
            leftInRow = rowBins - (bin % rowBins);
          }
          const number = numbers[at] ?? 0;
          // the last block may end behind the last bin
          if (number !== 0 && bin < bins) {
            const remainder = remainders?.[at] ?? 0;
            if (starts) moment.startAt(pageAt, number, remainder);
            else moment.addAt(pageAt, number, remainder);
          }
          pageAt += step;
          leftInRow--;
        }
      }
    }
  }
}

/** Adds what threads have scored into the moments of all pages: exactly, in any order (ADR 13). */
export class TaskSums {
  private readonly pages: readonly (PageSums | undefined)[];
  /** Of each group: the blocks that something has been added to. */
  private readonly added: readonly Uint8Array[];

  constructor(
    private readonly layouts: readonly PageLayout[],
    private readonly tally: TallyLayout,
  ) {
    this.pages = layouts.map((layout, i) => {
      const place = tally.places[i];
      return place && new PageSums(layout, place);
    });
    this.added = tally.groups.map(({ bins, blockBins }) => new Uint8Array(Math.ceil(bins / blockBins)));
  }

  add(scored: ScoredBins): void {
    const group = this.tally.groups[scored.group];
    const added = this.added[scored.group];
    if (group === undefined || added === undefined) return;
    const isFirst = Array.from(scored.blocks, (block) => added[block] === 0);
    for (const page of this.pages) if (page?.place.group === scored.group) page.add(scored, group, isFirst);
    for (const block of scored.blocks) added[block] = 1;
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
