import type { Job, UserId } from '../job.js';
import type { JobListQuery, Owned } from '../ports.js';
import type { Project } from '../project/project.js';
import type { ProjectListQuery } from '../project/project-ports.js';
import type { AccessFacts, Action } from './access.js';
import type { Resource, Share, ShareId, Subject } from './share.js';

/** Something that belongs to others, too, and whose it is. */
export interface Shown<T> {
  readonly value: T;
  readonly ownerId: UserId;
  readonly groupId: string | null;
}

/** The same, and what the acting user may do with it. */
export interface Listed<T> extends Shown<T> {
  readonly actions: readonly Action[];
}

/** Which of the things that are not the acting user's alone. */
export interface SharedScope {
  readonly view: 'group' | 'shared';
  readonly userId: UserId;
  /** Groups of the user that are looked at, with the role in each. */
  readonly groups: ReadonlyMap<string, string>;
}

/** Some of them, and how many there are. */
export interface SharedPage<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** A new share. */
export interface NewShare {
  readonly shareId: ShareId;
  readonly ownerId: UserId;
  readonly resource: Resource;
  readonly subject: Subject;
  readonly expiresAt: Date | null;
}

/** Who has access to jobs and projects. Every method is one statement or transaction. */
export interface AccessStore {
  /** What the rule needs; `subjects`: those that the actor has. Undefined: there is no such thing. */
  findAccess(resource: Resource, subjects: readonly string[]): Promise<AccessFacts | undefined>;
  /** What a link opens that has not ended. */
  findLink(
    linkHash: string,
  ): Promise<{ readonly resource: Resource; readonly title: string; readonly expiresAt: Date } | undefined>;
  /** Shares that have not ended, the oldest first, and the group. */
  listShares(
    ownerId: UserId,
    resource: Resource,
  ): Promise<Owned<{ readonly shares: readonly Share[]; readonly groupId: string | null }>>;
  /** Keeps a share, or gives one of the same subject another end. `full`: it has `sharesMax` shares that have not ended. */
  createShare(share: NewShare, sharesMax: number): Promise<Owned<Share | 'full'>>;
  /** @returns whether the user had given it */
  deleteShare(ownerId: UserId, shareId: ShareId): Promise<boolean>;
  /** @param groupId - null: none */
  setGroup(ownerId: UserId, resource: Resource, groupId: string | null): Promise<Owned<true>>;
  /** Labels are searched of the jobs that the user may change. */
  listJobs(scope: SharedScope, query: JobListQuery): Promise<SharedPage<Shown<Job>>>;
  listProjects(scope: SharedScope, query: ProjectListQuery): Promise<SharedPage<Shown<Project>>>;
  deleteExpiredShares(): Promise<void>;
}
