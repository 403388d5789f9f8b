import { requireOwnProject } from './owned-project.js';
import type { ProjectQuery, ProjectStore } from './project-ports.js';

/**
 * Removes a project of the acting user with all its revisions. Jobs that ran it stay, and keep what they were given.
 * @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER
 */
export async function deleteProject(projects: ProjectStore, query: ProjectQuery): Promise<void> {
  requireOwnProject(await projects.deleteProject(query));
}
