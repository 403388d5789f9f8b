import { jobs, SHARED_VIEWS } from '@tally/contracts';
import { toAccessed } from '../../access.js';
import { answerUnlessKnown, answerUnlessSame } from '../../answer/answer-unless-known.js';
import { required, toProject } from '../../mappers.js';
import { findNamesOf, toBelonging } from '../../names.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { projectsQuery, projectsResponse } from '../../schemas/project.js';

const ORDERS = {
  updated_at: jobs.ProjectOrder.PROJECT_ORDER_UPDATE_TIME,
  created_at: jobs.ProjectOrder.PROJECT_ORDER_CREATE_TIME,
  title: jobs.ProjectOrder.PROJECT_ORDER_TITLE,
} as const;

/** GET /projects: a page of the user's own projects, or of those of others. */
export const listProjects = defineRoute({
  method: 'GET',
  path: '/projects',
  auth: 'session',
  summary: "The user's projects",
  query: projectsQuery,
  responses: {
    200: {
      description: 'A page; empty beyond the end',
      schema: projectsResponse,
      headers: { ETag: 'Strong validator: another one after every change of the page or of the number of projects' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
  },
  handle: (request, services) => {
    const { page_size: pageSize, page_idx: pageIndex, order_by, order_type, search } = request.query;
    const { view, group_id: groupId = '' } = request.query;
    const asked = { pageSize, pageIndex, order: ORDERS[order_by], isAscending: order_type === 'ascend', search };
    if (view !== 'own') return listOfOthers(request, services, { ...asked, view: SHARED_VIEWS[view], groupId });
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.listProjects({ ...asked, knownVersion }, request.call),
      write: ({ page }) => page && JSON.stringify(toPage(page.projects.map(toListed), page.projectCount, pageSize)),
    });
  },
});

type ListRequest = Pick<RouteRequest, 'call' | 'header'>;

async function listOfOthers(request: ListRequest, services: RouteServices, asked: jobs.ListSharedProjectsRequest) {
  const { call } = request;
  const { projects, projectCount } = await services.jobs.listSharedProjects(asked, call);
  const names = await findNamesOf(services, projects, call);
  const listed = projects.map(({ project, ...belonging }) => ({
    ...toListed(required(project, 'project')),
    ...toBelonging(toAccessed(belonging), names),
  }));
  return answerUnlessSame(request, JSON.stringify(toPage(listed, projectCount, asked.pageSize)));
}

const toListed = (project: jobs.Project) => ({
  ...toProject(project),
  ...(project.thumbnail === '' ? {} : { thumbnail: project.thumbnail }),
});

const toPage = <Listed>(projects: readonly Listed[], count: bigint, pageSize: number) => ({
  message: 'User projects',
  projects,
  page_count: Math.ceil(Number(count) / pageSize),
  projects_count: Number(count),
});
