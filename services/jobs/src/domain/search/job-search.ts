import { invalidField } from '../errors.js';
import { PLATFORMS, type Platform, SIMULATORS, type Simulator } from '../job.js';
import { STATES, type State } from '../job-state.js';

/** What a job must be to be found; an empty list: anything. */
export interface JobSearch {
  /** Each in its title, tags, note or particle, or, where one has 8 characters of an id, in its id. */
  readonly words: readonly string[];
  /** All of them. */
  readonly tags: readonly string[];
  /** One of them, like the next three. */
  readonly simulators: readonly Simulator[];
  readonly particles: readonly string[];
  readonly platforms: readonly Platform[];
  readonly states: readonly State[];
  /** MeV; some energy of its beam is in here. */
  readonly energyMev: Range<number> | undefined;
  /** It was submitted from the first moment on, and before the other. */
  readonly submitted: Range<Date> | undefined;
  readonly isFavourite: boolean;
  /** Jobs that are not archived, those that are, or both. */
  readonly archive: 'without' | 'only' | 'with';
}

/** Undefined: no bound. */
export interface Range<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

const SEARCH_LENGTH_MAX = 500;
const TERMS_MAX = 30;
const DAY_MS = 86_400_000;

/** Terms of a search: words, "several words", key:value or key:"a value". */
const TERM = /(?:([A-Za-z]+):)?(?:"([^"]*)"|(\S+))/g;

type Found = { -readonly [K in keyof JobSearch]: JobSearch[K] };
type Reader = (value: string, found: Found) => void;

const invalid = (message: string) => invalidField('/search', message);

/** Comma-separated names, each one of those that are known. */
function namesOf<Name extends string>(key: string, value: string, known: readonly Name[]): Name[] {
  return value.split(',').map((given) => {
    const name = known.find((one) => one.toLowerCase() === given.toLowerCase());
    if (name === undefined) throw invalid(`has ${key}:${given}; it must be ${known.join(', ')}`);
    return name;
  });
}

/** `from..to`, `from..`, `..to` or one value. */
function boundsOf(value: string): readonly [from: string, to: string] {
  const at = value.indexOf('..');
  return at < 0 ? [value, value] : [value.slice(0, at), value.slice(at + 2)];
}

function readEnergy(value: string): Range<number> {
  const [from, to] = boundsOf(value).map((text) => (text === '' ? undefined : Number(text)));
  if ((from === undefined && to === undefined) || [from, to].some((bound) => Number.isNaN(bound))) {
    throw invalid(`has energy:${value}; it must be MeV, for example energy:150 or energy:100..200`);
  }
  return { from, to };
}

/** Days in UTC; the last one is within. */
function readDays(value: string): Range<Date> {
  const [from, to] = boundsOf(value).map((text) => (text === '' ? undefined : readDay(value, text)));
  if (from === undefined && to === undefined) throw invalidDay(value);
  return { from, to: to && new Date(to.getTime() + DAY_MS) };
}

const invalidDay = (value: string) =>
  invalid(`has date:${value}; it must be days in UTC, for example date:2026-03-01 or date:2026-03-01..2026-03-31`);

function readDay(value: string, text: string): Date {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (day === undefined || !day.toJSON()?.startsWith(text)) throw invalidDay(value);
  return day;
}

const READERS: Readonly<Record<string, Reader>> = {
  tag: (value, found) => {
    found.tags = [...found.tags, value];
  },
  simulator: (value, found) => {
    found.simulators = namesOf('simulator', value, SIMULATORS);
  },
  particle: (value, found) => {
    found.particles = value.split(',').map((name) => name.toLowerCase());
  },
  platform: (value, found) => {
    found.platforms = namesOf('platform', value, PLATFORMS);
  },
  state: (value, found) => {
    found.states = namesOf('state', value, STATES);
  },
  energy: (value, found) => {
    found.energyMev = readEnergy(value);
  },
  date: (value, found) => {
    found.submitted = readDays(value);
  },
  is: (value, found) => {
    const [kind] = namesOf('is', value, ['favourite', 'archived', 'any']);
    if (kind === 'favourite') found.isFavourite = true;
    else found.archive = kind === 'archived' ? 'only' : 'with';
  },
};

const NOTHING: JobSearch = {
  words: [],
  tags: [],
  simulators: [],
  particles: [],
  platforms: [],
  states: [],
  energyMev: undefined,
  submitted: undefined,
  isFavourite: false,
  archive: 'without',
};

/**
 * A search as users write it: `depth tag:qa simulator:simA particle:proton energy:100..200 date:2026-03-01.. state:completed is:favourite`.
 * All terms must hold. Archived jobs are found by `is:archived`, or with the others by `is:any`.
 * @throws ServiceError REQUEST_INVALID
 */
export function readJobSearch(text: string): JobSearch {
  if (text.length > SEARCH_LENGTH_MAX) {
    throw invalid(`has ${text.length} characters, more than the ${SEARCH_LENGTH_MAX} allowed`);
  }
  const terms = [...text.replaceAll('\0', '\ufffd').matchAll(TERM)];
  if (terms.length > TERMS_MAX) throw invalid(`has ${terms.length} terms, more than the ${TERMS_MAX} allowed`);
  const found: Found = { ...NOTHING };
  for (const [, key, quoted, plain] of terms) readTerm(key, quoted ?? plain ?? '', found);
  return found;
}

function readTerm(key: string | undefined, value: string, found: Found): void {
  if (key === undefined) {
    if (value.endsWith(':') && readerOf(value.slice(0, -1)) !== undefined)
      throw invalid(`has ${value} without a value`);
    if (value !== '') found.words = [...found.words, value];
    return;
  }
  const reader = readerOf(key);
  if (reader === undefined) {
    const known = Object.keys(READERS).join(', ');
    throw invalid(`has the unknown key ${key}; keys are ${known}. Quote words that have a colon: "${key}:${value}"`);
  }
  if (value === '') throw invalid(`has ${key}: without a value`);
  reader(value, found);
}

const readerOf = (key: string) => (Object.hasOwn(READERS, key.toLowerCase()) ? READERS[key.toLowerCase()] : undefined);
