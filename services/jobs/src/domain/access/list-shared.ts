import type { Job } from '../job.js';
import type { JobListQuery } from '../ports.js';
import type { Project } from '../project/project.js';
import type { ProjectListQuery } from '../project/project-ports.js';
import { checkProjectListQuery } from '../project/read-projects.js';
import { checkListQuery } from '../read/list-jobs.js';
import type { AccessStore, SharedPage, SharedScope } from './access-ports.js';

/** A page of jobs of the acting user's groups, or that others share. @throws ServiceError REQUEST_INVALID */
export async function listSharedJobs(
  access: Pick<AccessStore, 'listJobs'>,
  scope: SharedScope,
  query: JobListQuery,
): Promise<SharedPage<Job>> {
  return access.listJobs(scope, checkListQuery(query));
}

/** The same of projects. @throws ServiceError REQUEST_INVALID */
export async function listSharedProjects(
  access: Pick<AccessStore, 'listProjects'>,
  scope: SharedScope,
  query: ProjectListQuery,
): Promise<SharedPage<Project>> {
  return access.listProjects(scope, checkProjectListQuery(query));
}
