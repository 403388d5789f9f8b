import type { Branded } from '@tally/service-kit';

/** Public identifier of a kept project, a UUID. */
export type ProjectId = Branded<'ProjectId'>;

/** A kept project, without its text. */
export interface Project {
  readonly projectId: ProjectId;
  readonly title: string;
  /** Number of the current revision. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** A picture as a data URL; null: none. */
  readonly thumbnail: string | null;
  /** Length of the JSON text of the current revision. */
  readonly sizeBytes: number;
}

/** A save of a project, without its text. */
export interface Revision {
  readonly revision: number;
  readonly savedAt: Date;
  /** Of the project then. */
  readonly title: string;
  /** Empty: nothing. */
  readonly note: string;
  readonly sizeBytes: number;
}

/** A revision in the history of its project. */
export interface RunRevision extends Revision {
  /** The last jobs that ran it, the newest first. */
  readonly jobIds: readonly string[];
  /** All of them. */
  readonly jobCount: number;
}

/** The revision of a project that a job was submitted from, as descriptions of jobs have it. */
export interface RevisionRef {
  readonly projectId: ProjectId;
  readonly revision: number;
}

/** JSON text of a project with what is derived from it. */
export interface ProjectText {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** A gzip member. */
  readonly packed: Uint8Array;
}
