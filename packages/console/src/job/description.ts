import type { JobStatus } from '../api/queries.js';
import { TEXTS } from '../texts.js';

export type Description = NonNullable<JobStatus['description']>;

/** What a job simulates, in a line, whatever its title says. */
export function describe({
  beam,
  requested_primaries: primaries,
  water_ionisation_ev: water,
  engine,
}: Description): string {
  return [
    ...(beam === undefined ? [] : [beam]),
    TEXTS.job.asked(primaries),
    ...(typeof water === 'number' ? [TEXTS.job.water(water)] : []),
    engine,
  ].join(' · ');
}
