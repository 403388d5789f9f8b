import type { Output, TallyClient } from '@tally/client';

export type JobStatus = Output<'GET', '/jobs'>;
export type State = JobStatus['job_state'];
export type Page = Output<'GET', '/results'>['estimators'][number]['pages'][number];
export type Results = Output<'GET', '/results'>;

/** Whether a state is the last one. */
export const isFinal = (state: State): boolean => ['COMPLETED', 'FAILED', 'CANCELED'].includes(state);

export const statusOf = (client: TallyClient, jobId: string): Promise<JobStatus> =>
  client.request('GET', '/jobs', { query: { job_id: jobId } });

type Description = NonNullable<JobStatus['description']>;

/** What a job simulates, in a line: of users' own files the beam is not known. */
export function describe(description: Description): string {
  const { beam, requested_primaries: primaries, water_ionisation_ev: water, seed, engine, simulator } = description;
  const { project } = description;
  return [
    ...(beam === undefined ? [] : [beam]),
    `${primaries} primaries`,
    ...(typeof water === 'number' ? [`I(water) ${water} eV`] : []),
    `seed ${seed}`,
    `${simulator} by ${engine}`,
    ...(project === undefined ? [] : [`from project "${project.title}", revision ${project.revision}`]),
    description.submitted_at,
  ].join('; ');
}

/** Primaries done and asked for, of all tasks. */
export function primariesOf({ job_tasks_status: tasks }: JobStatus): { readonly done: number; readonly total: number } {
  return {
    done: tasks.reduce((sum, task) => sum + task.simulated_primaries, 0),
    total: tasks.reduce((sum, task) => sum + task.requested_primaries, 0),
  };
}

/** A page of one axis with its estimator's name. */
export interface Line {
  readonly estimator: string;
  readonly page: Page;
  readonly axis: { readonly name: string; readonly unit: string; readonly centres: readonly number[] };
}

/** Pages of one axis, those of a dose over depth first. */
export function linesOf(results: Results): Line[] {
  const lines = results.estimators.flatMap(({ name: estimator, pages }) =>
    pages.flatMap((page) => {
      const long = page.data.dimensions
        .map((centres, i) => ({ centres, i }))
        .filter(({ centres }) => centres.length > 1);
      const [only] = long;
      if (only === undefined || long.length > 1) return [];
      const { name = 'position', unit = '' } = page.data.axes?.[only.i] ?? {};
      return [{ estimator, page, axis: { name, unit, centres: only.centres } }];
    }),
  );
  const isDepthDose = ({ page, axis }: Line) => /^z/i.test(axis.name) && /dose/i.test(page.name);
  return [...lines.filter(isDepthDose), ...lines.filter((line) => !isDepthDose(line))];
}

export type Reading = NonNullable<Page['readings']>[number];

/** The numbers that the service has read off a curve; none, where its quantity has none. */
export const readLine = ({ page }: Line): readonly Reading[] => page.readings ?? [];
