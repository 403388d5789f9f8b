import type { Job } from '../job.js';
import type { JobListQuery } from '../ports.js';
import type { Project } from '../project/project.js';
import type { ProjectListQuery } from '../project/project-ports.js';
import { checkProjectListQuery } from '../project/read-projects.js';
import { checkListQuery } from '../read/list-jobs.js';
import { allowedTo, relationsOf } from './access.js';
import type { AccessStore, Listed, SharedPage, SharedScope, Shown } from './access-ports.js';

/** A page of jobs of the acting user's groups, or that others share. @throws ServiceError REQUEST_INVALID */
export async function listSharedJobs(
  access: Pick<AccessStore, 'listJobs'>,
  scope: SharedScope,
  query: JobListQuery,
): Promise<SharedPage<Listed<Job>>> {
  return withActions(scope, await access.listJobs(scope, checkListQuery(query)));
}

/** The same of projects. @throws ServiceError REQUEST_INVALID */
export async function listSharedProjects(
  access: Pick<AccessStore, 'listProjects'>,
  scope: SharedScope,
  query: ProjectListQuery,
): Promise<SharedPage<Listed<Project>>> {
  return withActions(scope, await access.listProjects(scope, checkProjectListQuery(query)));
}

/** What is listed as shared is shared with the user, or with a group of his: either allows the same. */
function withActions<T>({ view, userId, groups }: SharedScope, page: SharedPage<Shown<T>>): SharedPage<Listed<T>> {
  const actor = { userId, groups, linkHash: undefined };
  const subjects = view === 'shared' ? [`user:${userId}`] : [];
  const rows = page.rows.map((row) => ({ ...row, actions: allowedTo(relationsOf({ ...row, subjects }, actor)) }));
  return { ...page, rows };
}
