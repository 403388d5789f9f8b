import type { PageRef, Simulation } from '../api/queries.js';
import { TEXTS } from '../texts.js';

const escape = (text: string): string => encodeURIComponent(text).replaceAll('~', '%7E');

/** `job~estimator~page`, in characters that are the same in an address. */
export const writeRef = ({ jobId, estimator, page }: PageRef): string =>
  [jobId, estimator, String(page)].map(escape).join('~');

/** Pages that an address names, comma-separated; what one does not say is as in `own`, which is itself left out. */
export function readRefs(text: string | undefined, own: PageRef): PageRef[] {
  const named = (text ?? '').split(',').filter((item) => item !== '');
  const refs = named.map((item) => {
    const [jobId = '', estimator = '', page = ''] = item.split('~').map(unescape);
    return {
      jobId: jobId === '' ? own.jobId : jobId,
      estimator: estimator === '' ? own.estimator : estimator,
      page: /^\d+$/.test(page) ? Number(page) : own.page,
    };
  });
  const byName = new Map(refs.map((ref) => [writeRef(ref), ref]));
  byName.delete(writeRef(own));
  return [...byName.values()];
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address that somebody has cut
  }
}

/** How many axes of a page have more than one bin. */
export const dimensionsOf = (sizes: readonly number[]): number => sizes.filter((size) => size > 1).length;

type Named = Pick<Simulation, 'job_id' | 'title' | 'sim_type' | 'description'>;

/** What may differ between jobs of one project, the most telling first; undefined: not known. */
const FACTS: readonly ((job: Named) => string | undefined)[] = [
  ({ sim_type: name, description }) => (description === undefined ? name : `${name}, ${description.engine}`),
  ({ description: { water_ionisation_ev: water } = {} }) =>
    typeof water === 'number' ? TEXTS.job.water(water) : undefined,
  ({ description }) => description && TEXTS.job.asked(description.requested_primaries),
];
/** Says nothing of the physics: told where nothing else tells jobs apart. */
const seedOf = ({ description }: Named): string | undefined => description && TEXTS.job.seedOf(description.seed);

/** Its title, and its beam where the title does not say it: titles are often those of another beam. */
export function nameOfJob({ title, description }: Named): string {
  return description?.beam === undefined || title.includes(description.beam) ? title : `${title}: ${description.beam}`;
}

/** Names of jobs that are shown beside each other, by their ids: each says what the others have otherwise. */
export function nameJobs(jobs: readonly Named[]): ReadonlyMap<string, string> {
  const differing = FACTS.filter((fact) => new Set(jobs.map(fact)).size > 1);
  const namesBy = (facts: typeof FACTS) =>
    jobs.map((job) => [nameOfJob(job), ...facts.flatMap((fact) => fact(job) ?? [])].join(' · '));
  const names = namesBy(differing);
  const distinct = new Set(names).size === jobs.length ? names : namesBy([...differing, seedOf]);
  return new Map(jobs.map(({ job_id: jobId }, i) => [jobId, distinct[i] ?? jobId]));
}
