import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fail, invalidField } from '../errors.js';
import type { Versioned } from '../ports.js';
import { PAGE_SIZE_MAX } from '../read/list-jobs.js';
import { requireOwnProject } from './owned-project.js';
import type { Project, Revision, RunRevision } from './project.js';
import type { ProjectListQuery, ProjectPage, ProjectQuery, ProjectStore } from './project-ports.js';

const unpack = promisify(gunzip);

/** A project with the JSON text of one of its revisions. */
export interface ReadProject {
  readonly project: Project;
  readonly revision: Revision;
  /** UTF-8. */
  readonly json: Uint8Array;
}

/**
 * A project of the acting user, unless the caller has this version of it. Changes nothing.
 * @param revision - undefined: the current one
 * @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER, PROJECT_REVISION_NOT_FOUND
 */
export async function getProject(
  projects: ProjectStore,
  query: ProjectQuery,
  revision: number | undefined,
  knownVersion: string,
): Promise<Versioned<ReadProject>> {
  const found = requireOwnProject(await projects.findProject(query, revision, knownVersion));
  if (found === undefined) throw fail('PROJECT_REVISION_NOT_FOUND');
  const { version, shown } = found;
  if (shown === undefined) return { version, shown };
  return { version, shown: { project: shown.project, revision: shown.revision, json: await unpack(shown.packed) } };
}

/**
 * A page of the acting user's projects, the last saved first unless asked otherwise; a page beyond the end is empty. Not read where the
 * caller has this version of it.
 * @throws ServiceError REQUEST_INVALID
 */
export async function listProjects(
  projects: ProjectStore,
  query: ProjectListQuery,
  knownVersion: string,
): Promise<Versioned<ProjectPage>> {
  return projects.listProjects(checkProjectListQuery(query), knownVersion);
}

/** The query with the text that it means. @throws ServiceError REQUEST_INVALID */
export function checkProjectListQuery(query: ProjectListQuery): ProjectListQuery {
  const { pageSize, pageIndex, search } = query;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_SIZE_MAX) {
    throw invalidField('/page_size', `must be an integer from 1 to ${PAGE_SIZE_MAX}`);
  }
  if (!Number.isInteger(pageIndex) || pageIndex < 1) throw invalidField('/page_idx', 'must be an integer from 1');
  return { ...query, search: search.replaceAll('\0', '\ufffd') };
}

/** @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER */
export async function listProjectRevisions(
  projects: ProjectStore,
  query: ProjectQuery,
): Promise<readonly RunRevision[]> {
  return requireOwnProject(await projects.listRevisions(query));
}
