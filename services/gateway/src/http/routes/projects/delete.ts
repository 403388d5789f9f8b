import { onProject } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';
import { ownProjectQuery } from '../../schemas/project.js';

/** DELETE /projects: a project with its history. */
export const deleteProject = defineRoute({
  method: 'DELETE',
  path: '/projects',
  auth: 'session',
  access: onProject('delete'),
  summary: 'Delete a project',
  description: 'With all its revisions. Jobs that ran it stay, and keep their inputs.',
  query: ownProjectQuery,
  responses: {
    200: { description: 'Deleted', schema: messageResponse },
    403: { description: "Another user's project" },
    404: { description: 'No such project' },
  },
  handle: async ({ query, call }, services) => {
    await services.jobs.deleteProject({ projectId: query.project_id }, call);
    return answer({ message: 'Project deleted' });
  },
});
