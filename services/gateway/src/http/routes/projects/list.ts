import { jobs, SHARED_VIEWS } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import { answer } from '../../answer/answer.js';
import { answerUnlessKnown } from '../../answer/answer-unless-known.js';
import { required, toProject } from '../../mappers.js';
import { findNames, toBelonging } from '../../names.js';
import { defineRoute, type RouteServices } from '../../route.js';
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
    if (view !== 'own') return listOfOthers(services, { ...asked, view: SHARED_VIEWS[view], groupId }, request.call);
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.listProjects({ ...asked, knownVersion }, request.call),
      write: ({ page }) => page && JSON.stringify(toPage(page.projects.map(toListed), page.projectCount, pageSize)),
    });
  },
});

async function listOfOthers(services: RouteServices, asked: jobs.ListSharedProjectsRequest, call: CallOptions) {
  const { projects, projectCount } = await services.jobs.listSharedProjects(asked, call);
  const ids = { userIds: projects.map(({ ownerId }) => ownerId), groupIds: projects.map(({ groupId }) => groupId) };
  const names = await findNames(services, ids, call);
  const listed = projects.map(({ project, ...belonging }) => ({
    ...toListed(required(project, 'project')),
    ...toBelonging(belonging, names),
  }));
  return answer(toPage(listed, projectCount, asked.pageSize));
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
