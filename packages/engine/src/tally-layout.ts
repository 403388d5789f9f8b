import type { PageLayout } from './page-layout.js';
import type { TransportModule } from './transport-module.js';

/** Bins of which the transport module remembers together whether they were touched (assembly/sums.ts). */
export const UNIT_BINS = 64;

/** Sums of the transport module that lie side by side in each bin, in units of UNIT_BINS bins. */
export interface TallyGroup {
  /** Numbers in each bin. */
  readonly width: number;
  /** First number in the module's sums. */
  readonly base: number;
  readonly units: number;
}

/** Where a page's sums are: its group, and which of the numbers of a bin are its sum and its denominator. */
export interface PagePlace {
  readonly group: number;
  readonly sum: number;
  /** −1 where there is none. */
  readonly denominator: number;
}

export interface TallyLayout {
  /** In the order of their units, which are numbered through. */
  readonly groups: readonly TallyGroup[];
  /** One for each page, `undefined` for maps, which are not scored. */
  readonly places: readonly (PagePlace | undefined)[];
}

/** Asks a module that has been set up for a problem where the sums of the problem's pages will be. */
export function readTallyLayout(module: TransportModule, pages: readonly PageLayout[]): TallyLayout {
  module.call('layOut');
  const groups = Array.from({ length: module.call('groupCount') }, (_, group) => ({
    width: module.call('groupWidth', group),
    base: module.call('groupBase', group),
    units: module.call('groupUnits', group),
  }));
  let scored = 0;
  const places = pages.map(({ header }): PagePlace | undefined => {
    if (header.kind === 'map') return undefined;
    const page = scored++;
    return {
      group: module.call('pageGroup', page),
      sum: module.call('pageSum', page),
      denominator: module.call('pageDenominator', page),
    };
  });
  return { groups, places };
}
