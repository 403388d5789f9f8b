import { onProject } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { toRevision } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { ownProjectQuery, revisionsResponse } from '../../schemas/project.js';

/** GET /projects/revisions: the history of a project. */
export const listProjectRevisions = defineRoute({
  method: 'GET',
  path: '/projects/revisions',
  auth: 'session',
  access: onProject('read'),
  summary: 'Revisions of a project',
  description: `The newest first, at most 100. The newest two stay, then the last save of each five minutes, and each that has a note or that
a job has run.`,
  query: ownProjectQuery,
  responses: {
    200: { description: 'Those that are kept', schema: revisionsResponse },
    403: { description: "Another user's project" },
    404: { description: 'No such project' },
  },
  handle: async ({ query, accessed, call }, services) => {
    const isOwn = accessed.length === 0;
    const { revisions } = await services.jobs.listProjectRevisions({ projectId: query.project_id }, call);
    return answer({
      message: 'Revisions of the project',
      revisions: revisions.map((revision) => ({
        ...toRevision(revision),
        job_ids: isOwn ? revision.jobIds : [], // who reads a project does not thereby see what its owner has run
        job_count: isOwn ? Number(revision.jobCount) : 0,
      })),
    });
  },
});
