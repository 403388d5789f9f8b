import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { JobsPage } from './jobs/jobs-page.js';
import { readJobsSearch, readNewSweepSearch, readResultsSearch, readSweepSearch, text } from './search.js';
import { PageFailed } from './shell/boundary.js';
import { Shell } from './shell/shell.js';

const rootRoute = createRootRoute({
  component: Shell,
  errorComponent: PageFailed,
  notFoundComponent: () => <Navigate to="/" />,
});

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readJobsSearch,
  component: JobsPage,
});
/** With what a new job or project begins: the input of a job, a template, or a copy of a kept project, each by its id or name. */
interface Beginning {
  readonly from?: string;
  readonly template?: string;
  readonly copy?: string;
}
const readBeginning = (search: Record<string, unknown>): Beginning => ({
  from: text(search.from),
  template: text(search.template),
  copy: text(search.copy),
});

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  validateSearch: readBeginning,
  component: lazyRouteComponent(() => import('./submit/new-job-page.js'), 'NewJobPage'),
});
const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./job/job-page.js'), 'JobPage'),
});

const resultsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId/results',
  validateSearch: readResultsSearch,
  component: lazyRouteComponent(() => import('./results/results-page.js'), 'ResultsPage'),
});
const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('./editor/projects-page.js'), 'ProjectsPage'),
});

const editorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  validateSearch: readBeginning,
  component: lazyRouteComponent(() => import('./editor/editor-page.js'), 'EditorPage'),
});
const sweepsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sweeps',
  component: lazyRouteComponent(() => import('./sweeps/sweeps-page.js'), 'SweepsPage'),
});
const newSweepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sweeps/new',
  validateSearch: readNewSweepSearch,
  component: lazyRouteComponent(() => import('./sweeps/new-sweep-page.js'), 'NewSweepPage'),
});
const sweepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sweeps/show',
  validateSearch: readSweepSearch,
  component: lazyRouteComponent(() => import('./sweeps/sweep-page.js'), 'SweepPage'),
});
const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-page.js'), 'AccountPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('./usage/usage-page.js'), 'UsagePage'),
});
const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin/admin-page.js'), 'AdminPage'),
});

const classesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/classes',
  component: lazyRouteComponent(() => import('./classes/classes-page.js'), 'ClassesPage'),
});

const groupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/groups',
  component: lazyRouteComponent(() => import('./people/groups-page.js'), 'GroupsPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    jobsRoute,
    newRoute,
    projectsRoute,
    editorRoute,
    jobRoute,
    resultsRoute,
    sweepsRoute,
    newSweepRoute,
    sweepRoute,
    accountRoute,
    usageRoute,
    adminRoute,
    classesRoute,
    groupsRoute,
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
