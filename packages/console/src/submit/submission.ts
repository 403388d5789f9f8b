import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { batchOptions, type ClusterChoice } from './cluster-form.js';
import type { Dropped } from './project.js';
import { type Target, targetBody } from './target-form.js';

/** What a job is made of: a project, or the files of a deck. */
export type Source = Exclude<Dropped, { kind: 'fault' }>;

/** How a job runs, and whose it is. */
export interface Options extends ClusterChoice {
  readonly simulator: 'simA' | 'simB' | 'simC' | 'simD';
  readonly platform: 'direct' | 'batch';
  readonly tasks: number;
  readonly seed: string;
  readonly title: string;
  readonly isOmitting: boolean;
  readonly target: Target | undefined;
  /** That the job is given to; undefined: none. */
  readonly groupId: string | undefined;
}

/** Tasks that a small deployment has workers for. */
const TASKS = 8;

/** How a job of so many primaries runs unless somebody chooses otherwise; what is no number stands for a thousand. */
export function initialOptions(primaries: unknown): Omit<Options, 'title'> {
  return {
    simulator: 'simA',
    platform: 'direct',
    cluster: '',
    schedulerOptions: {},
    tasks: Math.max(1, Math.min(TASKS, typeof primaries === 'number' ? primaries : 1_000)),
    seed: '',
    isOmitting: false,
    target: undefined,
    groupId: undefined,
  };
}

/** Also a project of which nobody has checked what is in it. */
type Input = Source | { readonly kind: 'editor'; readonly project: Readonly<Record<string, unknown>> };

/** What is submitted. */
export function bodyOf(source: Input, options: Options) {
  return {
    sim_type: options.simulator,
    ntasks: options.tasks,
    input_type: source.kind,
    sim_data: source.kind === 'editor' ? source.project : source.files,
    ...(options.title.trim() === '' ? {} : { title: options.title.trim() }),
    ...(options.seed.trim() === '' ? {} : { seed: options.seed.trim() }),
    ...(options.target === undefined ? {} : { target: targetBody(options.target) }),
    ...(options.isOmitting ? { on_unsupported: 'omit' as const } : {}),
    ...(options.groupId === undefined ? {} : { group_id: options.groupId }),
    ...(options.platform === 'batch' ? { batch_options: batchOptions(options) } : {}),
  };
}

/** A body, and what else it may say. */
export type Submission = ReturnType<typeof bodyOf> & {
  readonly sweep?: { readonly id: string; readonly size: number };
  readonly project?: { readonly project_id: string; readonly revision: number };
};

/** The same, as the service is asked how long it would take. */
export const estimateOf = (body: Submission) =>
  body.batch_options === undefined ? body : { ...body, platform: 'batch' as const };

/** Submits a job. @returns its id @throws HttpError */
export async function submitJob(body: Submission): Promise<string> {
  const { batch_options, ...direct } = body;
  const accepted =
    batch_options === undefined
      ? await call('POST', '/jobs/direct', { body: direct })
      : await call('POST', '/jobs/batch', { body: { ...direct, batch_options } });
  return accepted.job_id;
}

/** Submits what is made at that moment, and opens the page of the job. */
export function useSubmission(make: () => Submission | Promise<Submission>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => submitJob(await make()),
    onSuccess: async (jobId) => {
      void queryClient.invalidateQueries({ queryKey: ['simulations'] });
      await navigate({ to: '/jobs/$jobId', params: { jobId } });
    },
  });
}
