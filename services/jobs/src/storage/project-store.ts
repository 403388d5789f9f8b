import type { Decision } from '@tally/service-kit';
import type { Owned, Versioned } from '../domain/ports.js';
import type { Project, ProjectId } from '../domain/project/project.js';
import type {
  NewProject,
  OpenedProject,
  ProjectListQuery,
  ProjectPage,
  ProjectQuery,
  ProjectQuotas,
  ProjectSave,
  ProjectStore,
} from '../domain/project/project-ports.js';
import { decideSave, projectQuotaFault } from '../domain/project/update-project.js';
import type { Database } from './database.js';
import { readUnlessKnown } from './read-unless-known.js';
import {
  deleteProject,
  findProjectKey,
  findTitle,
  followRevision,
  insertProject,
  insertRevision,
  listRevisions,
  loadCurrent,
  lockProjects,
  openProject,
  type ProjectPageRow,
  pageOfProjects,
  setNote,
  storedBytesOf,
  storeProjectKey,
  thinHistory,
  usageOfProjects,
} from './statements/projects.js';

export interface ProjectSettings {
  readonly quotas: ProjectQuotas;
  readonly idempotencyKeyHours: number;
}

export function createProjectStore(database: Database, settings: ProjectSettings): ProjectStore {
  const own = async <T>(query: ProjectQuery, value: T | undefined): Promise<Owned<T>> =>
    value === undefined ? { kind: await explainMiss(database, query) } : { kind: 'own', value };
  return {
    createProject: (project) => createProject(database, project, settings),
    saveProject: async (save) => own(save, await saveProject(database, save, settings.quotas)),
    findProject: (query, revision, knownVersion) => findProject(database, query, revision, knownVersion),
    listProjects: (query, knownVersion) => listProjects(database, query, knownVersion),
    listRevisions: async (query) => {
      const rows = await database.rows(listRevisions(query));
      const revisions = rows.map(({ jobCount, ...row }) => ({ ...row, jobCount: Number(jobCount) }));
      return own(query, rows.length === 0 ? undefined : revisions);
    },
    findTitle: async (query) => own(query, await database.row(findTitle(query))),
    deleteProject: async (query) => own(query, await removeProject(database, query)),
  };
}

/** Undefined: there is no such project. Who saves it at the same time is waited for. */
function removeProject(database: Database, query: ProjectQuery) {
  return database.change(
    [lockProjects(query.ownerId), findTitle(query)],
    (_, [found]): Decision<true | undefined> =>
      found === undefined ? { save: [], result: undefined } : { save: [deleteProject(query)], result: true },
  );
}

async function explainMiss(database: Database, { projectId }: ProjectQuery): Promise<'foreign' | 'missing'> {
  return (await database.client.project.count({ where: { projectId } })) > 0 ? 'foreign' : 'missing';
}

function createProject(database: Database, project: NewProject, { quotas, idempotencyKeyHours }: ProjectSettings) {
  const { ownerId, projectId, idempotency, text, thumbnail } = project;
  type Outcome = Awaited<ReturnType<ProjectStore['createProject']>>;
  const load = [
    lockProjects(ownerId),
    usageOfProjects(ownerId),
    findProjectKey(ownerId, idempotency?.key ?? ''),
  ] as const;
  return database.change(load, (_, [usage], [earlier]): Decision<Outcome> => {
    if (earlier !== undefined && idempotency !== undefined) {
      const isSame = earlier.requestHash === idempotency.requestHash;
      return { save: [], result: isSame ? { projectId: earlier.projectId as ProjectId } : 'keyReused' };
    }
    const more = { projectCount: 1, storedBytes: storedBytesOf(text, thumbnail) };
    const exceeded = usage && projectQuotaFault(quotas, usage, more);
    if (exceeded !== undefined) return { save: [], result: { exceeded } };
    const key = idempotency === undefined ? [] : [storeProjectKey(project, idempotency, idempotencyKeyHours)];
    return { save: [insertProject(project), ...key], result: { projectId } };
  });
}

/** Undefined: there is no such project. */
function saveProject(database: Database, save: ProjectSave, quotas: ProjectQuotas) {
  type Outcome = Extract<Awaited<ReturnType<ProjectStore['saveProject']>>, { kind: 'own' }>['value'] | undefined;
  const load = [lockProjects(save.ownerId), loadCurrent(save), usageOfProjects(save.ownerId)] as const;
  return database.change(load, (_, [current], [usage]): Decision<Outcome> => {
    if (current === undefined) return { save: [], result: undefined };
    const { projectKey, revision, savedAt } = current;
    const decision = decideSave(current, save);
    if (decision === 'conflict') return { save: [], result: { revision, savedAt, isConflict: true } };
    const more = { projectCount: 0, storedBytes: storedBytesOf(save.text, save.thumbnail) };
    const exceeded = decision === 'next' && usage ? projectQuotaFault(quotas, usage, more) : undefined;
    if (exceeded !== undefined) return { save: [], result: { exceeded } };
    if (decision === 'same') {
      const noted = save.note === undefined ? [] : [setNote(projectKey, revision, save.note)];
      const pictured = save.thumbnail === undefined ? [] : [followRevision(projectKey, save)];
      return { save: [...noted, ...pictured], result: { revision, savedAt, isConflict: false } };
    }
    const toAnswer = ([inserted]: readonly unknown[][]) => {
      const [row] = (inserted ?? []) as { readonly savedAt: Date }[];
      if (row === undefined) throw new Error(`project ${save.projectId} was not saved`);
      return { revision: revision + 1, savedAt: row.savedAt, isConflict: false };
    };
    const statements = [
      insertRevision(projectKey, save),
      thinHistory(projectKey, save),
      followRevision(projectKey, save),
    ];
    return { save: statements, result: toAnswer };
  });
}

async function findProject(
  database: Database,
  query: ProjectQuery,
  revision: number | undefined,
  knownVersion: string,
): Promise<Owned<Versioned<OpenedProject> | undefined>> {
  const row = await database.row(openProject(query, revision, knownVersion));
  if (row === undefined) return { kind: await explainMiss(database, query) };
  if (row.shownRevision === null) return { kind: 'own', value: undefined };
  const { version, packed, shownRevision, savedAt, shownTitle: title, note, shownBytes: sizeBytes, ...project } = row;
  const shown =
    packed === null
      ? undefined
      : { project, packed, revision: { revision: shownRevision, savedAt, title, note, sizeBytes } };
  return { kind: 'own', value: { version, shown } };
}

async function listProjects(
  database: Database,
  query: ProjectListQuery,
  knownVersion: string,
): Promise<Versioned<ProjectPage>> {
  const found = await readUnlessKnown(database, pageOfProjects(query), knownVersion);
  const { version = '', rows } = found ?? {};
  if (rows === undefined) return { version, shown: undefined };
  const projects = rows.filter((row): row is ProjectPageRow & Project => row.projectId !== null);
  return { version, shown: { projects, projectCount: Number(rows[0]?.projectCount ?? 0n) } };
}
