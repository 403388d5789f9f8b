import { jobs } from '@tally/contracts';
import { answerUnlessKnown } from '../../answer/answer-unless-known.js';
import { toProject } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { projectsQuery, projectsResponse } from '../../schemas/project.js';

const ORDERS = {
  updated_at: jobs.ProjectOrder.PROJECT_ORDER_UPDATE_TIME,
  created_at: jobs.ProjectOrder.PROJECT_ORDER_CREATE_TIME,
  title: jobs.ProjectOrder.PROJECT_ORDER_TITLE,
} as const;

/** GET /projects: a page of the user's own projects. */
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
    const asked = { pageSize, pageIndex, order: ORDERS[order_by], isAscending: order_type === 'ascend', search };
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.listProjects({ ...asked, knownVersion }, request.call),
      write: ({ page }) => page && writePage(page, pageSize),
    });
  },
});

function writePage({ projects, projectCount }: jobs.ProjectPage, pageSize: number): string {
  const count = Number(projectCount);
  return JSON.stringify({
    message: 'User projects',
    projects: projects.map((project) => ({
      ...toProject(project),
      ...(project.thumbnail === '' ? {} : { thumbnail: project.thumbnail }),
    })),
    page_count: Math.ceil(count / pageSize),
    projects_count: count,
  });
}
