import type { Simulation } from '../api/queries.js';

/*
 * Jobs of a sweep are found by their titles, which the console and `tally sweep` write in the same way: `Protons in water [beam.energy=70]` for a
 * place of a project, `Slab of bone [thickness = 2 cm]` for a parameter of a template; several are separated by commas. A new job with one of
 * these changed is called so, too, and belongs to the sweep.
 */

/** Of the interface. */
const TITLE_LENGTH_MAX = 256;

export type Value = number | string;

/** A parameter of a sweep: a place of a project by its path, or a parameter of a template by its name. */
export interface SweepParameter {
  readonly name: string;
  /** Of a template's; empty: it has none, or it is a place. */
  readonly unit: string;
  readonly isOfTemplate: boolean;
}

const wordsOf = ({ name, unit, isOfTemplate }: SweepParameter, value: Value | undefined): string =>
  isOfTemplate ? `${name} = ${value}${unit === '' ? '' : ` ${unit}`}` : `${name}=${value}`;

/** What one job of a sweep is called. */
export function writeSweepTitle(
  title: string,
  parameters: readonly SweepParameter[],
  values: readonly Value[],
): string {
  const suffix = ` [${parameters.map((one, i) => wordsOf(one, values[i])).join(', ')}]`;
  return `${commonTitle(title).slice(0, Math.max(1, TITLE_LENGTH_MAX - suffix.length))}${suffix}`;
}

/** Of the title that all jobs of a sweep have in common: values of any length stand behind it. */
const COMMON_LENGTH_MAX = 160;

/** What all jobs of a sweep are called. */
export const commonTitle = (title: string): string => title.trim().slice(0, COMMON_LENGTH_MAX).trimEnd();

interface SweepTitle {
  readonly title: string;
  readonly names: readonly string[];
  /** Of parameters of templates; empty: not said. */
  readonly units: readonly string[];
  readonly values: readonly Value[];
}

const PART = /^([\w-]+(?:\.[\w-]+)*)(?:=| = )([^\s=,\]]+)(?: ([^\s=,\]]+))?$/;

/** The title of a sweep with its parameters; undefined: that of any other job. */
export function readSweepTitle(text: string): SweepTitle | undefined {
  const [, title, inside] = /^(.+) \[([^[\]]+)\]$/.exec(text) ?? [];
  if (title === undefined || inside === undefined) return undefined;
  const parts = inside.split(', ').map((part) => PART.exec(part));
  if (parts.some((part) => part === null)) return undefined;
  const values = parts.map((part) => {
    const word = part?.[2] ?? '';
    return Number.isFinite(Number(word)) ? Number(word) : word;
  });
  const groupOf = (group: number) => parts.map((part) => part?.[group] ?? '');
  return { title, names: groupOf(1), units: groupOf(3), values };
}

/** A job of a sweep. */
export interface SweepJob {
  readonly values: readonly Value[];
  readonly job: Simulation;
}

/** Jobs that differ in the values of some parameters, by these values. */
export interface Sweep {
  readonly title: string;
  readonly names: readonly string[];
  readonly units: readonly string[];
  readonly jobs: readonly SweepJob[];
}

/** What tells a sweep from others: its title and its parameters. */
export const keyOf = ({ title, names }: Pick<Sweep, 'title' | 'names'>): string => `${title} [${names.join(', ')}]`;

const compareValues = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });

/** The sweeps among jobs, in the order of the jobs; of several jobs with the same values the one that comes first counts. */
export function groupSweeps(jobs: readonly Simulation[]): Sweep[] {
  const found = new Map<string, Omit<Sweep, 'jobs'> & { readonly jobs: Map<string, SweepJob> }>();
  for (const job of jobs) {
    const read = readSweepTitle(job.title);
    if (read === undefined) continue;
    const key = keyOf(read);
    const { title, names, units } = read;
    const sweep = found.get(key) ?? { title, names, units, jobs: new Map<string, SweepJob>() };
    found.set(key, sweep);
    const at = read.values.join();
    if (!sweep.jobs.has(at)) sweep.jobs.set(at, { values: read.values, job });
  }
  return [...found.values()].map(({ jobs: own, ...sweep }) => ({
    ...sweep,
    jobs: [...own.values()].sort((a, b) =>
      a.values.reduce<number>((order, value, i) => order || compareValues(value, b.values[i] ?? 0), 0),
    ),
  }));
}
