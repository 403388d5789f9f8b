import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { PROJECT_MEMBERS, projectCreated, projectCreation, projectHeaders } from '../../schemas/project.js';

/** POST /projects: keeps a project. */
export const createProject = defineRoute({
  method: 'POST',
  path: '/projects',
  auth: 'session',
  summary: 'Keep a project',
  requestClass: 'project',
  headers: projectHeaders,
  body: projectCreation,
  rawMembers: PROJECT_MEMBERS,
  responses: {
    201: { description: 'Kept, as revision 1', schema: projectCreated },
    422: { description: 'The Idempotency-Key was used with another body' },
  },
  handle: async ({ body, headers, raw, call }, services) => {
    const { title = '', thumbnail = '', note = '', group_id: groupId } = body;
    const projectJson = raw.get('project') ?? Buffer.alloc(0);
    const idempotencyKey = headers['Idempotency-Key'] ?? '';
    const asked = { title, projectJson, thumbnail, note, groupId, idempotencyKey };
    const created = await services.jobs.createProject(asked, call);
    return answer({ message: 'Project kept', project_id: created.projectId, revision: 1 }, 201);
  },
});
