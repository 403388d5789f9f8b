import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { JobsPage } from './jobs/jobs-page.js';
import { PageFailed } from './shell/boundary.js';
import { Shell } from './shell/shell.js';

const rootRoute = createRootRoute({
  component: Shell,
  errorComponent: PageFailed,
  notFoundComponent: () => <Navigate to="/" />,
});
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const jobsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: JobsPage });
const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  validateSearch: (search: Record<string, unknown>): { readonly from?: string; readonly template?: string } => ({
    from: text(search.from),
    template: text(search.template),
  }),
  component: lazyRouteComponent(() => import('./submit/new-job-page.js'), 'NewJobPage'),
});
const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./job/job-page.js'), 'JobPage'),
});

/** What the results page shows, in its address, so that it can be sent to a colleague's own list or kept as a bookmark. */
export interface ResultsSearch {
  readonly estimator?: string;
  readonly page?: number;
  /** `job id~estimator~page`, comma-separated. */
  readonly with?: string;
}
const resultsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId/results',
  validateSearch: (search: Record<string, unknown>): ResultsSearch => ({
    estimator: text(search.estimator),
    page: typeof search.page === 'number' ? search.page : undefined,
    with: text(search.with),
  }),
  component: lazyRouteComponent(() => import('./results/results-page.js'), 'ResultsPage'),
});
const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('./editor/projects-page.js'), 'ProjectsPage'),
});

/** With what a new project begins: the input of a job, or a template. */
export interface EditorSearch {
  readonly from?: string;
  readonly template?: string;
}
const editorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  validateSearch: (search: Record<string, unknown>): EditorSearch => ({
    from: text(search.from),
    template: text(search.template),
  }),
  component: lazyRouteComponent(() => import('./editor/editor-page.js'), 'EditorPage'),
});
const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-page.js'), 'AccountPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    jobsRoute,
    newRoute,
    projectsRoute,
    editorRoute,
    jobRoute,
    resultsRoute,
    accountRoute,
  ]),
  basepath: '/console',
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
