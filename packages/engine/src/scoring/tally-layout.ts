import { MOMENTS } from '@tally/merge';

import type { TransportModule } from '../transport/transport-module.js';

import type { PageLayout } from './page-layout.js';

/** Pages of one detector whose moments lie side by side in each bin of the transport module (assembly/scoring/sums.ts). */
export interface TallyGroup {
  readonly bins: number;
  /** Numbers in each bin. */
  readonly stride: number;
  /** Bins of a block: they are sent together. */
  readonly blockBins: number;
}

/** Bins of a detector's axis, and how far apart its neighbours are in a page. */
export interface BinAxis {
  readonly bins: number;
  readonly step: number;
}

/** Where a page's moments are: its group, and which of the numbers of a bin each of them is. */
export interface PagePlace {
  readonly group: number;
  readonly moments: readonly number[];
  /** Axes of the detector as the group's bins follow each other, the fastest first; differential axes come after them. */
  readonly axes: readonly BinAxis[];
}

export interface TallyLayout {
  readonly groups: readonly TallyGroup[];
  /** One for each page, `undefined` for maps, which are not scored. */
  readonly places: readonly (PagePlace | undefined)[];
}

/** Asks a module that has been set up for a problem where the moments of the problem's pages will be. */
export function readTallyLayout(module: TransportModule, pages: readonly PageLayout[]): TallyLayout {
  module.call('layOut');
  const groups = Array.from({ length: module.call('groupCount') }, (_, group) => ({
    bins: module.call('groupBins', group),
    stride: module.call('groupStride', group),
    blockBins: module.call('groupBlockBins', group),
  }));
  const scored = pages.filter(({ header }) => header.kind !== 'map');
  const places = pages.map((layout): PagePlace | undefined => {
    const page = scored.indexOf(layout);
    if (page < 0) return undefined;
    return {
      group: module.call('pageGroup', page),
      moments: MOMENTS[layout.header.kind].map((_, moment) => module.call('pageMoment', page, moment)),
      axes: [0, 1, 2].map((axis) => ({
        bins: module.call('pageAxisBins', page, axis),
        step: module.call('pageAxisStep', page, axis),
      })),
    };
  });
  return { groups, places };
}
