import fs from 'node:fs';
import path from 'node:path';
import type { Output, TallyClient } from '@tally/client';
import { UserError } from './exit-codes.js';

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
  return [
    ...(beam === undefined ? [] : [beam]),
    `${primaries} primaries`,
    ...(typeof water === 'number' ? [`I(water) ${water} eV`] : []),
    `seed ${seed}`,
    `${simulator} by ${engine}`,
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

/** What shall be simulated. */
export type Source =
  | { readonly input_type: 'editor'; readonly sim_data: Record<string, unknown> }
  | { readonly input_type: 'files'; readonly sim_data: Record<string, string> };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A project (.json), or the files of a deck: a folder, or each by its name. @throws UserError */
export function readSource(names: readonly string[]): Source {
  const [first = '', ...others] = names;
  for (const name of names) if (!fs.existsSync(name)) throw new UserError(`there is no ${name}`);
  if (others.length === 0 && /\.json$/i.test(first)) return { input_type: 'editor', sim_data: readProject(first) };
  const files = names.flatMap((name) =>
    fs.statSync(name).isDirectory()
      ? fs
          .readdirSync(name, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(name, entry.name))
      : [name],
  );
  if (files.length === 0) throw new UserError(`${first} has no files`);
  return {
    input_type: 'files',
    sim_data: Object.fromEntries(files.map((file) => [path.basename(file), fs.readFileSync(file, 'utf8')])),
  };
}

function readProject(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (isObject(value)) return value;
  } catch (err) {
    throw new UserError(`${file} is not JSON: ${err instanceof Error ? err.message : String(err)}`);
  }
  throw new UserError(`${file} is not a project: it must be an object`);
}

/** Title of a project; undefined: it has none. */
export function titleOf({ project }: Record<string, unknown>): string | undefined {
  return isObject(project) && typeof project.title === 'string' ? project.title : undefined;
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
