/*
 * What the addresses of pages say: all that somebody has chosen of a page, so that a bookmark, a reload and the browser's Back show the same.
 * An address is foreign input: what is not of the expected kind is left out.
 */

type Search = Readonly<Record<string, unknown>>;

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
/** A text, or a number as the router reads one. */
const words = (value: unknown): string | undefined => text(typeof value === 'number' ? String(value) : value);

/** What of a plane is shown: itself, its standard errors, another one, their difference, or γ between them. */
const SHOWN = ['own', 'errors', 'other', 'difference', 'gamma'] as const;
export type Shown = (typeof SHOWN)[number];

/** What of the list of jobs is shown, and in which order. */
export interface JobsSearch {
  readonly search?: string;
  /** As they are called, comma-separated. */
  readonly states?: string;
  readonly order?: string;
  /** Whose; the own unless given. */
  readonly view?: string;
}

export const readJobsSearch = (search: Search): JobsSearch => ({
  search: words(search.search),
  states: text(search.states),
  order: text(search.order),
  view: text(search.view),
});

/** What the results page shows, in its address, so that it can be sent to a colleague's own list or kept as a bookmark. */
export interface ResultsSearch {
  readonly estimator?: string;
  readonly page?: number;
  /** `job id~estimator~page`, comma-separated. */
  readonly with?: string;
  readonly log?: boolean;
  /** Of errors. */
  readonly band?: boolean;
  /** Curves to 100 % of their maximum. */
  readonly share?: boolean;
  /** `x from,x to,y from,y to`; the last two may be missing. */
  readonly zoom?: string;
  /** Bins of a plane through which its cuts go. */
  readonly cut?: string;
  /** Number of a plane of a volume, and bins along its axes. */
  readonly slice?: string;
  /** As they are typed. */
  readonly levels?: string;
  /** `from,to` */
  readonly colors?: string;
  readonly shown?: Shown;
  /** Lengths to scale. */
  readonly equal?: boolean;
  /** Axes in the other order. */
  readonly turn?: boolean;
}

export const readResultsSearch = (search: Search): ResultsSearch => ({
  estimator: text(search.estimator),
  page: typeof search.page === 'number' ? search.page : undefined,
  with: text(search.with),
  log: flag(search.log),
  band: flag(search.band),
  share: flag(search.share),
  zoom: words(search.zoom),
  cut: words(search.cut),
  slice: words(search.slice),
  levels: words(search.levels),
  colors: words(search.colors),
  shown: SHOWN.find((shown) => shown === search.shown),
  equal: flag(search.equal),
  turn: flag(search.turn),
});

/** A sweep by its title and parameters, and what of it is shown. */
export interface SweepSearch {
  readonly title?: string;
  /** Paths of parameters, comma-separated. */
  readonly over?: string;
  readonly estimator?: string;
  readonly page?: number;
  readonly zoom?: string;
  readonly log?: boolean;
  readonly reading?: string;
  readonly fit?: 'line' | 'power';
  /** Logarithmic axes of the readings. */
  readonly logfit?: boolean;
}

export const readSweepSearch = (search: Search): SweepSearch => ({
  title: words(search.title),
  over: text(search.over),
  estimator: text(search.estimator),
  page: typeof search.page === 'number' ? search.page : undefined,
  zoom: words(search.zoom),
  log: flag(search.log),
  reading: text(search.reading),
  fit: search.fit === 'line' || search.fit === 'power' ? search.fit : undefined,
  logfit: flag(search.logfit),
});

/** From which job a sweep begins, what it is called, and over which parameter it goes. */
export interface NewSweepSearch {
  readonly from?: string;
  readonly template?: string;
  readonly title?: string;
  readonly over?: string;
}

export const readNewSweepSearch = (search: Search): NewSweepSearch => ({
  from: text(search.from),
  template: text(search.template),
  title: words(search.title),
  over: text(search.over),
});
