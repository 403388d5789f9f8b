import type { jobs } from '@tally/contracts';
import { type Accessed, onProject } from '../../access.js';
import { answerUnlessKnown, answerUnlessSame } from '../../answer/answer-unless-known.js';
import { openObject } from '../../answer/json-text.js';
import { required, toProject, toRevision } from '../../mappers.js';
import { findNamesOf, toBelonging } from '../../names.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { projectQuery, projectResponse } from '../../schemas/project.js';
import { GUEST_ID } from '../../session/guest.js';

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
  handle: async (request, services) => {
    const { project_id: projectId, revision } = request.query;
    const find = (knownVersion: string) =>
      services.jobs.getProject({ projectId, revision, knownVersion }, request.call);
    const [accessed] = request.accessed;
    if (accessed === undefined) return answerUnlessKnown(request, { find, write: (found) => writeProject(found) });
    const belonging = await findBelonging(accessed, request, services);
    return answerUnlessSame(request, writeProject(await find(''), belonging) ?? '');
  },
});

/** Whose it is is not told to who is not signed in. */
async function findBelonging(
  accessed: Accessed,
  { session, call }: Pick<RouteRequest<'session'>, 'session' | 'call'>,
  services: RouteServices,
) {
  if (session.userId === GUEST_ID) return { actions: [...accessed.actions] };
  return toBelonging(accessed, await findNamesOf(services, [accessed], call));
}

/** The text of the project is passed on as it is. */
function writeProject(
  { project: known, revision, projectJson }: jobs.GetProjectResponse,
  belonging: object = {},
): string | undefined {
  if (known === undefined) return undefined;
  const members = {
    message: 'Project',
    ...toProject(known),
    ...toRevision(required(revision, 'revision')),
    current_revision: known.revision,
    ...belonging,
  };
  return `${openObject(members)}"project":${projectJson.toString('utf8')}}`;
}
