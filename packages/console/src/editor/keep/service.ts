import { call, toProblem } from '../../api/client.js';
import { mayDo } from '../../api/queries.js';
import { personName } from '../../format.js';
import type { ProjectService, SentProject } from './keeper.js';

/** Longest picture that the service keeps: 64 KiB in base64, as a data URL. */
const THUMBNAIL_LENGTH_MAX = 87_000;

const bodyOf = ({ title, project, thumbnail }: SentProject) => ({
  title,
  project,
  ...(thumbnail === undefined || thumbnail.length > THUMBNAIL_LENGTH_MAX ? {} : { thumbnail }),
});

/** The projects of the user at the service. */
export const projectService: ProjectService = {
  async create(project) {
    const { project_id: projectId, revision } = await call('POST', '/projects', { body: bodyOf(project) });
    return { projectId, revision };
  },
  async update(projectId, revision, project) {
    const body = { project_id: projectId, revision, ...bodyOf(project) };
    return { revision: (await call('PUT', '/projects', { body })).revision };
  },
  async read(projectId) {
    const found = await call('GET', '/projects/project', { query: { project_id: projectId } });
    const { revision, project, owner } = found;
    const readOnlyOf = mayDo(found, 'change') ? undefined : owner === undefined ? '' : personName(owner);
    return { projectId, revision, project, readOnlyOf };
  },
  faultOf(err) {
    const { status, message } = toProblem(err);
    if (status === 409) return { why: message, kind: 'changed' };
    const isAway = status === 0 || status === 401 || status === 429 || status >= 500;
    return { why: message, kind: isAway ? 'away' : 'refused' };
  },
};
