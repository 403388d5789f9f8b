import { Text } from '@mantine/core';
import type { JobStatus } from '../api/queries.js';
import { Moment } from '../shell/moment.js';
import { TEXTS } from '../texts.js';

type JobDescription = NonNullable<JobStatus['description']>;

/** What a job simulates, in a line, whatever its title says. */
function describe({
  beam,
  requested_primaries: primaries,
  water_ionisation_ev: water,
  seed,
  simulator,
  engine,
}: JobDescription): string {
  return [
    ...(beam === undefined ? [] : [beam]),
    TEXTS.job.asked(primaries),
    ...(typeof water === 'number' ? [TEXTS.job.water(water)] : []),
    TEXTS.job.seedOf(seed),
    `${simulator}, ${engine}`,
  ].join(' · ');
}

/** What a job simulates; nothing where that is not known. */
export function Description({ of: description }: { readonly of: JobDescription | undefined }) {
  if (description === undefined) return undefined;
  return (
    <Text size="sm" data-description>
      {describe(description)} · <Moment at={description.submitted_at} isFocusable />
    </Text>
  );
}
