import { type Sql, sql } from '@tally/service-kit';
import { STATES } from '../../../domain/job-state.js';
import type { JobListQuery } from '../../../domain/ports.js';
import type { JobSearch } from '../../../domain/search/job-search.js';

/** Nothing but states is asked for: the ledger has the number of such jobs, and indexes their order. */
export const isPlain = ({ search }: JobListQuery): boolean => {
  const { words, tags, simulators, particles, platforms, energyMev, submitted, isFavourite } = search;
  const lists = [words, tags, simulators, particles, platforms];
  return lists.every((list) => list.length === 0) && !isFavourite && energyMev === undefined && submitted === undefined;
};

/** By archive: names in the ledger, and jobs that are kept. */
export const ledgerNames = ({ states, search: { archive } }: JobListQuery): string[] => [
  ...(archive === 'only' ? [] : states),
  ...(archive === 'without' ? [] : states.map((state) => `ARCHIVED ${state}`)),
];

/** Among which jobs is searched. */
export interface Searched {
  /** Condition on rows of `jobs`. */
  readonly rows: Sql;
  /** Whether what users note of a job is there for who searches. */
  readonly hasLabels: Sql;
}

/** All of a user's own. */
export const ownJobs = ({ ownerId }: JobListQuery): Searched => ({
  rows: sql`owner_id = ${ownerId}`,
  hasLabels: sql`true`,
});

export const inArchive = ({ archive }: JobSearch, hasLabels = sql`true`): Sql => {
  switch (archive) {
    case 'without':
      return sql`NOT (jobs.is_archived AND ${hasLabels})`;
    case 'only':
      return sql`jobs.is_archived AND jobs.label_revision > 0 AND ${hasLabels}`;
    case 'with':
      return sql`true`;
  }
};

/** Any text with this in it. */
const patternOf = (word: string) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
/** Whether a word may be of an id: shorter ones would be found in most of them. */
const isOfIds = (words: readonly string[]) => words.some((word) => /^[\da-f-]{8,}$/i.test(word));
/** Null: whatever it is. */
const listOrNull = (list: readonly string[]) => (list.length === 0 ? null : [...list]);

/** Whether a job's row has what is only of labelled jobs (index jobs_by_labels). */
const isLabelled = ({ tags, isFavourite, archive }: JobSearch, hasLabels: Sql) =>
  tags.length > 0 || isFavourite || archive === 'only' ? sql`AND jobs.label_revision > 0 AND ${hasLabels}` : sql``;

/** Jobs of earlier releases have it in their description only, which takes longer to read. */
const PARTICLE = sql`coalesce(particle, description->>'particle')`;

/**
 * Jobs of a listing that a search finds. All rows that are searched are read, or all that have labels, or all of some days: of 100 000 jobs
 * that takes some tenths of a second. Its text is the same for almost every search: what is not asked for is null.
 */
export function foundJobs({ states, search }: JobListQuery, { rows, hasLabels }: Searched): Sql {
  const { words, tags, simulators, particles, platforms, energyMev: energy, submitted, isFavourite } = search;
  const isState = states.length === STATES.length ? sql`` : sql`AND jobs.state = ANY(${[...states]}::text[])`;
  return sql`
    SELECT id, start_time, end_time FROM jobs
    WHERE ${rows} AND ${inArchive(search, hasLabels)} ${isLabelled(search, hasLabels)} ${isState}
      AND start_time >= ${submitted?.from ?? '-infinity'}::timestamptz
      AND start_time < ${submitted?.to ?? 'infinity'}::timestamptz
      AND (NOT ${isFavourite}::bool OR is_favourite)
      AND (${listOrNull(simulators)}::text[] IS NULL OR simulator = ANY(${listOrNull(simulators)}::text[]))
      AND (${listOrNull(platforms)}::text[] IS NULL OR platform = ANY(${listOrNull(platforms)}::text[]))
      AND (${listOrNull(tags)}::text[] IS NULL OR lower(tags::text)::text[] @> lower(${[...tags]}::text[]::text)::text[])
      AND (${listOrNull(particles)}::text[] IS NULL OR ${PARTICLE} = ANY(${listOrNull(particles)}::text[]))
      AND (${energy === undefined}::bool OR
        (coalesce(energy_max_mev, (description->'energy_mev'->>'max')::float8) >= ${energy?.from ?? '-infinity'}::float8
          AND coalesce(energy_min_mev, (description->'energy_mev'->>'min')::float8) <= ${energy?.to ?? 'infinity'}::float8))
      AND (${listOrNull(words)}::text[] IS NULL
        OR lower(concat_ws(' ', title, ${isOfIds(words) ? sql`job_id` : sql`NULL`}, ${PARTICLE},
            CASE WHEN ${hasLabels} THEN concat_ws(' ', array_to_string(tags, ' '), note) END))
          LIKE ALL (lower(${words.map(patternOf)}::text[]::text)::text[]))`;
}
