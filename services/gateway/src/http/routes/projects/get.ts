import type { jobs } from '@tally/contracts';
import { onProject } from '../../access.js';
import { answerUnlessKnown } from '../../answer/answer-unless-known.js';
import { openObject } from '../../answer/json-text.js';
import { required, toProject, toRevision } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { projectQuery, projectResponse } from '../../schemas/project.js';

/** GET /projects/project: a project with its text, as it is or as it was. */
export const getProject = defineRoute({
  method: 'GET',
  path: '/projects/project',
  auth: 'session',
  access: onProject('read'),
  summary: 'A kept project',
  query: projectQuery,
  responses: {
    200: {
      description: 'The project, in the revision that is asked for',
      schema: projectResponse,
      headers: { ETag: 'Strong validator: another one after every save' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
    403: { description: "Another user's project" },
    404: { description: 'No such project, or the revision is not kept' },
  },
  handle: (request, services) => {
    const { project_id: projectId, revision } = request.query;
    return answerUnlessKnown(request, {
      find: (knownVersion) => services.jobs.getProject({ projectId, revision, knownVersion }, request.call),
      write: writeProject,
    });
  },
});

/** The text of the project is passed on as it is. */
function writeProject({ project: known, revision, projectJson }: jobs.GetProjectResponse): string | undefined {
  if (known === undefined) return undefined;
  const members = {
    message: 'Project',
    ...toProject(known),
    ...toRevision(required(revision, 'revision')),
    current_revision: known.revision,
  };
  return `${openObject(members)}"project":${projectJson.toString('utf8')}}`;
}
