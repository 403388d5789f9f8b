import { HttpError } from '@tally/client';
import { call, type Input, type Output } from '../api/client.js';
import { queryClient } from '../api/queries.js';

export type NotedLabels = Output<'PUT', '/jobs/labels'>['labels'];
export type LabelChange = Omit<NonNullable<Input<'PUT', '/jobs/labels'>['body']>, 'job_id'>;

const refresh = () =>
  Promise.all(['simulations', 'status'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

/** Changes the labels of a job. @throws HttpError */
export async function changeLabels(jobId: string, change: LabelChange): Promise<void> {
  await call('PUT', '/jobs/labels', { body: { job_id: jobId, ...change } });
  await refresh();
}

/** The labels as somebody else has changed them, of the refusal of a change; undefined: it was refused for something else. */
export function labelsOfConflict(err: unknown): NotedLabels | undefined {
  if (!(err instanceof HttpError) || err.answer.body.code !== 'LABELS_CHANGED') return undefined;
  return err.answer.body.labels as NotedLabels;
}

/** Jobs of which some were refused. */
export class SomeRefused extends Error {
  constructor(
    readonly refusedCount: number,
    readonly count: number,
    /** Of the first one. */
    override readonly cause: unknown,
  ) {
    super('some jobs were refused');
  }
}

const AT_ONCE = 6;

/**
 * Does something to each job by itself, a few at once, so that one refusal leaves the others done.
 * @throws SomeRefused
 */
export async function toEach<Job>(jobs: readonly Job[], act: (job: Job) => Promise<unknown>): Promise<void> {
  const refusals: unknown[] = [];
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      await act(job).catch((err: unknown) => refusals.push(err));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, work));
  await refresh();
  if (refusals.length > 0) throw new SomeRefused(refusals.length, jobs.length, refusals[0]);
}

/** Changes the labels of several jobs. @throws SomeRefused */
export const changeLabelsOf = (jobIds: readonly string[], change: LabelChange) =>
  toEach(jobIds, (jobId) => call('PUT', '/jobs/labels', { body: { job_id: jobId, ...change } }));
