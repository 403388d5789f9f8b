import { invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import { requireOwnProject } from './owned-project.js';
import type { RevisionRef } from './project.js';
import type { ProjectStore } from './project-ports.js';

/** The kept project that a job is submitted from, as descriptions of jobs have it (packages/merge, JobDescription). */
export interface RunProject {
  readonly project_id: string;
  readonly revision: number;
  readonly title: string;
}

/**
 * The project that a submission says it was taken from. That its revision is still kept is not asked: another tab may have saved since.
 * @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER; REQUEST_INVALID for a revision that never was
 */
export async function findRunProject(
  projects: Pick<ProjectStore, 'findTitle'>,
  ownerId: UserId,
  { projectId, revision }: RevisionRef,
): Promise<RunProject> {
  const { title, revision: last } = requireOwnProject(await projects.findTitle({ ownerId, projectId }));
  if (revision < 1 || revision > last)
    throw invalidField('/project/revision', `must be a whole number from 1 to ${last}`);
  return { project_id: projectId, revision, title };
}
