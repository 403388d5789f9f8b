import { currentContext } from '@tally/service-kit';
import { fail } from '../../../errors.js';
import { onProject } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { toProblem } from '../../answer/problem.js';
import { toTimestamp } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { PROJECT_MEMBERS, projectChanged, projectSaved, projectUpdate } from '../../schemas/project.js';

/** PUT /projects: saves a project as its next revision. */
export const updateProject = defineRoute({
  method: 'PUT',
  path: '/projects',
  auth: 'session',
  access: onProject('change'),
  summary: 'Save a project',
  description: `The next revision, unless somebody has saved another one since \`revision\`: 409 with the current one, and nothing is
stored. What is there already makes no revision, and a repeat gets the first answer.`,
  requestClass: 'project',
  body: projectUpdate,
  rawMembers: PROJECT_MEMBERS,
  responses: {
    200: { description: 'Saved, or there already', schema: projectSaved },
    403: { description: "Another user's project" },
    404: { description: 'No such project' },
    409: { description: '`PROJECT_CHANGED`: somebody has saved another revision meanwhile', schema: projectChanged },
  },
  handle: async ({ body, raw, call }, services) => {
    const { project_id: projectId, revision: baseRevision, title, thumbnail, note } = body;
    const change = { projectId, baseRevision, title, projectJson: raw.get('project'), thumbnail, note };
    const saved = await services.jobs.updateProject(change, call);
    const now = { revision: saved.revision, saved_at: toTimestamp(saved.saveTime, 'saved_at') };
    if (!saved.isConflict) return answer({ message: 'Project saved', project_id: projectId, ...now });
    const { status, body: problem } = toProblem(fail('PROJECT_CHANGED'), currentContext()?.requestId ?? '');
    return answer({ ...problem, ...now }, status);
  },
});
