import type { UserId } from '../job.js';
import type { Owned, Versioned } from '../ports.js';
import type { Project, ProjectId, ProjectText, Revision, RunRevision } from './project.js';

/** A project of a user. */
export interface ProjectQuery {
  readonly ownerId: UserId;
  readonly projectId: ProjectId;
}

/** A project as it is kept the first time. */
export interface NewProject extends ProjectQuery {
  readonly title: string;
  readonly note: string;
  readonly thumbnail: string | null;
  /** That it belongs to; null: none. */
  readonly groupId: string | null;
  readonly text: ProjectText;
  /** Undefined: a repeat would be another project. */
  readonly idempotency: { readonly key: string; readonly requestHash: string } | undefined;
}

/** What is to be saved of a project. Undefined: it stays as it is. */
export interface ProjectSave extends ProjectQuery {
  /** The revision that it is based on. */
  readonly baseRevision: number;
  readonly title: string | undefined;
  readonly text: ProjectText | undefined;
  /** Null: it goes. */
  readonly thumbnail: string | null | undefined;
  readonly note: string | undefined;
  /** Two saves with the same hash ask for the same. */
  readonly requestHash: string;
}

/** The current revision after a save; `isConflict`: somebody has saved another one, and nothing was stored. */
export interface SaveAnswer {
  readonly revision: number;
  readonly savedAt: Date;
  readonly isConflict: boolean;
}

/** The current revision of a project, as a save is decided by it. */
export interface CurrentRevision extends Revision {
  readonly contentHash: string;
  readonly requestHash: string;
}

export interface ProjectListQuery {
  readonly ownerId: UserId;
  readonly pageSize: number;
  /** From 1. */
  readonly pageIndex: number;
  readonly order: 'updated_at' | 'created_at' | 'title';
  readonly isAscending: boolean;
  /** What the title contains, without regard to case; empty: anything. */
  readonly search: string;
}

export interface ProjectPage {
  readonly projects: readonly Project[];
  /** All that match. */
  readonly projectCount: number;
}

/** A project with one of its revisions. */
export interface OpenedProject {
  readonly project: Project;
  readonly revision: Revision;
  /** A gzip member of its JSON text. */
  readonly packed: Uint8Array;
}

/** What a user keeps, and may keep. */
export interface ProjectUsage {
  readonly projectCount: number;
  readonly storedBytes: number;
}

/** Most of it; 0: no bound. */
export interface ProjectQuotas {
  readonly projectsPerUserMax: number;
  readonly projectBytesPerUserMax: number;
}

export interface ProjectStore {
  /** Of one user only one project is stored or saved at a time: the quotas are exact. `exceeded`: a quota, in words. */
  createProject(
    project: NewProject,
  ): Promise<{ readonly projectId: ProjectId } | { readonly exceeded: string } | 'keyReused'>;
  saveProject(save: ProjectSave): Promise<Owned<SaveAnswer | { readonly exceeded: string }>>;
  /** @param revision - undefined: the current one. @param knownVersion - that the caller has; empty: none. Undefined: it is not kept */
  findProject(
    query: ProjectQuery,
    revision: number | undefined,
    knownVersion: string,
  ): Promise<Owned<Versioned<OpenedProject> | undefined>>;
  listProjects(query: ProjectListQuery, knownVersion: string): Promise<Versioned<ProjectPage>>;
  /** The newest first. */
  listRevisions(query: ProjectQuery): Promise<Owned<readonly RunRevision[]>>;
  /** Its title and its current revision. */
  findTitle(query: ProjectQuery): Promise<Owned<{ readonly title: string; readonly revision: number }>>;
  deleteProject(query: ProjectQuery): Promise<Owned<true>>;
}
