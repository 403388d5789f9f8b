import { jobs } from '@tally/contracts';
import { actingUser, type Routes } from '@tally/service-kit';
import { invalidField } from '../domain/errors.js';
import { createProject, type ProjectPorts } from '../domain/project/create-project.js';
import { deleteProject } from '../domain/project/delete-project.js';
import type { Project, ProjectId, Revision, RunRevision } from '../domain/project/project.js';
import type { ProjectListQuery } from '../domain/project/project-ports.js';
import { getProject, listProjectRevisions, listProjects } from '../domain/project/read-projects.js';
import { updateProject } from '../domain/project/update-project.js';
import { readGroupId } from './mappers.js';

const USERS = ['gateway'];

/** PostgreSQL has no character 0; an id that holds one names nothing. */
export const readProjectId = (text: string) => text.replaceAll('\0', '\ufffd') as ProjectId;

/** A project of the acting user. */
const ownProject = ({ projectId }: { readonly projectId: string }) => ({
  ownerId: actingUser(),
  projectId: readProjectId(projectId),
});

/** RPCs about projects that users keep. */
export const projectRpcs = (ports: ProjectPorts) =>
  ({
    createProject: {
      callers: USERS,
      handle: async ({ projectJson: json, groupId, ...created }) => ({
        projectId: await createProject(ports, {
          ...created,
          ownerId: actingUser(),
          groupId: readGroupId(groupId),
          json,
        }),
      }),
    },
    getProject: {
      callers: USERS,
      handle: async ({ revision, knownVersion, ...request }) => {
        const { version, shown } = await getProject(ports.projects, ownProject(request), revision, knownVersion);
        if (shown === undefined) return { version, projectJson: Buffer.alloc(0) };
        const { project, revision: read, json } = shown;
        return {
          version,
          project: toProtoProject(project),
          revision: toProtoRevision(read),
          projectJson: asBuffer(json),
        };
      },
    },
    listProjects: {
      callers: USERS,
      handle: async ({ knownVersion, order, ...request }) => {
        const query = { ...request, ownerId: actingUser(), order: readProjectOrder(order) };
        const { version, shown } = await listProjects(ports.projects, query, knownVersion);
        const { projects = [], projectCount = 0 } = shown ?? {};
        return {
          version,
          page: shown && { projects: projects.map(toProtoProject), projectCount: BigInt(projectCount) },
        };
      },
      isQuiet: true,
    },
    updateProject: {
      callers: USERS,
      handle: async ({ baseRevision, title, projectJson: json, thumbnail, note, ...request }) => {
        const updated = { ...ownProject(request), baseRevision, title, json, thumbnail, note };
        const { revision, savedAt, isConflict } = await updateProject(ports, updated);
        return { revision, saveTime: savedAt, isConflict };
      },
    },
    listProjectRevisions: {
      callers: USERS,
      handle: async (request) => ({
        revisions: (await listProjectRevisions(ports.projects, ownProject(request))).map(toProtoRevision),
      }),
    },
    deleteProject: {
      callers: USERS,
      handle: async (request) => {
        await deleteProject(ports.projects, ownProject(request));
        return {};
      },
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

/** @throws ServiceError REQUEST_INVALID */
export function readProjectOrder(value: jobs.ProjectOrder): ProjectListQuery['order'] {
  switch (value) {
    case jobs.ProjectOrder.PROJECT_ORDER_UNSPECIFIED:
    case jobs.ProjectOrder.PROJECT_ORDER_UPDATE_TIME:
      return 'updated_at';
    case jobs.ProjectOrder.PROJECT_ORDER_CREATE_TIME:
      return 'created_at';
    case jobs.ProjectOrder.PROJECT_ORDER_TITLE:
      return 'title';
    default:
      throw invalidField('/order_by', 'must be updated_at, created_at or title');
  }
}

export const toProtoProject = ({ createdAt, updatedAt, thumbnail, sizeBytes, ...project }: Project): jobs.Project => ({
  projectId: project.projectId,
  title: project.title,
  revision: project.revision,
  createTime: createdAt,
  updateTime: updatedAt,
  thumbnail: thumbnail ?? '',
  sizeBytes: BigInt(sizeBytes),
});

const toProtoRevision = (revision: Revision & Partial<RunRevision>): jobs.RevisionSummary => ({
  revision: revision.revision,
  saveTime: revision.savedAt,
  title: revision.title,
  note: revision.note,
  sizeBytes: BigInt(revision.sizeBytes),
  jobIds: [...(revision.jobIds ?? [])],
  jobCount: BigInt(revision.jobCount ?? 0),
});
