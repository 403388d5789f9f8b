import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { call, type Input, isTransient, type Output } from './client.js';
import type { StateName } from './live.js';
import { type GammaCriteria, type PagePart, type PageRef, readComparison, readPage } from './result-page.js';

export type { ComparedPage, GammaCriteria, PagePart, PageRef, ResultPage } from './result-page.js';

export type Simulation = Output<'GET', '/user/simulations'>['simulations'][number];
export type Action = NonNullable<Simulation['actions']>[number];
/** Whether the user may do something with a thing, of which the service says the actions unless it is his own. */
export const mayDo = ({ actions }: Pick<Simulation, 'actions'>, action: Action): boolean =>
  actions === undefined || actions.includes(action);

export type JobStatus = Output<'GET', '/jobs'>;
export type Estimators = Output<'GET', '/estimators'>;

const RETRIES_MAX = 5;
const PAGE_SIZE = 100;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, err) => count < RETRIES_MAX && isTransient(err),
      retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
    },
  },
});

export const FINAL_STATES: readonly StateName[] = ['COMPLETED', 'FAILED', 'CANCELED'];
export const isFinal = (state: StateName): boolean => FINAL_STATES.includes(state);

export interface ListOrder {
  readonly by: 'start_time' | 'end_time';
  readonly type: 'ascend' | 'descend';
}

export const NEWEST: ListOrder = { by: 'start_time', type: 'descend' };

/** Whose things a list shows. */
export type View = NonNullable<NonNullable<Input<'GET', '/user/simulations'>['query']>['view']>;
/** No events tell of others' jobs: their list is read again so often. */
const OTHERS_MS = 10_000;

/** Jobs that a search finds, a hundred at a time. */
export const simulationsQuery = (states: readonly StateName[], order: ListOrder, search = '', view: View = 'own') =>
  infiniteQueryOptions({
    queryKey: ['simulations', states, order, search, view],
    refetchInterval: view === 'own' ? false : OTHERS_MS,
    queryFn: ({ pageParam }) =>
      call('GET', '/user/simulations', {
        query: {
          page_size: PAGE_SIZE,
          page_idx: pageParam,
          order_by: order.by,
          order_type: order.type,
          view,
          job_state: states.join(','),
          ...(search === '' ? {} : { search }),
        },
      }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length < last.page_count ? all.length + 1 : undefined),
  });

export const statusQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['status', jobId],
    queryFn: () => call('GET', '/jobs', { query: { job_id: jobId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data.job_state) ? false : 10_000),
  });

export const estimatorsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['estimators', jobId],
    queryFn: () => call('GET', '/estimators', { query: { job_id: jobId } }),
  });

/** A page of results, or the plane or line of it through some bins. */
export const pageQuery = (ref: PageRef, part?: PagePart, hasHistories = false) =>
  queryOptions({
    queryKey: ['results', ref.jobId, ref.estimator, ref.page, part, hasHistories],
    queryFn: () => readPage(ref, part, hasHistories).then((read) => read ?? null),
  });

/** How the page of another job differs from this one; read again when this one's results grow. */
export const comparisonQuery = (own: PageRef, otherJobId: string, gamma: GammaCriteria) =>
  queryOptions({
    queryKey: ['results', own.jobId, 'compared', otherJobId, own.estimator, own.page, gamma],
    queryFn: () => readComparison(own, otherJobId, gamma).then((read) => read ?? { page_number: 0, name: '' }),
    retry: false,
  });

export const inputsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['inputs', jobId],
    queryFn: () => call('GET', '/inputs', { query: { job_id: jobId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const logsQuery = (jobId: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ['logs', jobId],
    queryFn: () => call('GET', '/logfiles', { query: { job_id: jobId } }),
    refetchInterval: isRunning ? 4_000 : false,
  });

export const simulatorsQuery = queryOptions({ queryKey: ['simulators'], queryFn: () => call('GET', '/simulators') });
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: () => call('GET', '/templates'),
  staleTime: Number.POSITIVE_INFINITY,
});
export const templateQuery = (name: string) =>
  queryOptions({
    queryKey: ['templates', name],
    queryFn: () => call('GET', '/templates/template', { query: { name } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
/** A kept project with its text, the user's own or one that others share. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', 'one', projectId],
    queryFn: () => call('GET', '/projects/project', { query: { project_id: projectId } }),
  });
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => call('GET', '/limits') });
export const clustersQuery = queryOptions({ queryKey: ['clusters'], queryFn: () => call('GET', '/clusters') });
export const tokensQuery = queryOptions({ queryKey: ['tokens'], queryFn: () => call('GET', '/auth/tokens') });
export const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => call('GET', '/auth/sessions') });
export const subscriptionsQuery = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: () => call('GET', '/user/subscriptions'),
});
export const webhooksQuery = queryOptions({ queryKey: ['webhooks'], queryFn: () => call('GET', '/user/webhooks') });
export const emailQuery = queryOptions({ queryKey: ['email'], queryFn: () => call('GET', '/user/email') });
export const ssoQuery = queryOptions({ queryKey: ['sso'], queryFn: () => call('GET', '/auth/sso'), retry: false });
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: () => call('GET', '/auth/status'),
  staleTime: Number.POSITIVE_INFINITY,
});
