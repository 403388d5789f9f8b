import { type Sql, sql } from '@tally/service-kit';
import type { AccessFacts } from '../../../domain/access/access.js';
import type { NewShare } from '../../../domain/access/access-ports.js';
import { type Resource, type ShareId, writeSubject } from '../../../domain/access/share.js';
import type { UserId } from '../../../domain/job.js';

/** Of a row named `share`: it has not ended. */
export const isOpen = sql`(share.expires_at IS NULL OR share.expires_at > now())`;

/** The thing by its public id; its owner is asked where it is found. */
const found = ({ kind, id }: Resource) =>
  kind === 'job'
    ? sql`(SELECT * FROM jobs WHERE job_id = ${id})`
    : sql`(SELECT * FROM projects WHERE project_id = ${id})`;

const keyOf = ({ kind }: Resource) => (kind === 'job' ? sql`job_key` : sql`project_key`);

/** What the rule of access needs: one row for a thing that is there. */
export const findAccess = (resource: Resource, subjects: readonly string[]): Sql<AccessFacts> => sql<AccessFacts>`
  SELECT thing.owner_id AS "ownerId", thing.group_id AS "groupId", ARRAY(
    SELECT subject FROM shares share
    WHERE share.${keyOf(resource)} = thing.id AND share.subject = ANY(${[...subjects]}::text[]) AND ${isOpen}) AS subjects
  FROM ${found(resource)} thing`;

/** What a link opens; it has either id. */
export interface LinkRow {
  readonly jobId: string | null;
  readonly projectId: string | null;
  readonly title: string;
  readonly expiresAt: Date;
}

export const findLink = (linkHash: string): Sql<LinkRow> => sql<LinkRow>`
  SELECT jobs.job_id AS "jobId", projects.project_id AS "projectId", coalesce(jobs.title, projects.title) AS title,
    share.expires_at AS "expiresAt"
  FROM shares share LEFT JOIN jobs ON jobs.id = share.job_key LEFT JOIN projects ON projects.id = share.project_key
  WHERE share.subject = ${writeSubject({ kind: 'link', linkHash })} AND ${isOpen}`;

/** A share as it is read; null where there is none. */
export interface ShareRow {
  readonly shareId: ShareId | null;
  readonly subject: string | null;
  readonly createdAt: Date | null;
  readonly expiresAt: Date | null;
}

/** At least one row for an own thing. */
export const listShares = (
  ownerId: UserId,
  resource: Resource,
): Sql<ShareRow & { readonly groupId: string | null }> => sql`
  SELECT thing.group_id AS "groupId", share.share_id AS "shareId", share.subject, share.created_at AS "createdAt",
    share.expires_at AS "expiresAt"
  FROM ${found(resource)} thing LEFT JOIN shares share ON share.${keyOf(resource)} = thing.id AND ${isOpen}
  WHERE thing.owner_id = ${ownerId} ORDER BY share.created_at, share.share_id`;

/** Locks an own thing, so that its shares are counted exactly, and counts those that have not ended beside one of the subject. */
export const lockShared = ({ ownerId, resource }: NewShare): Sql => sql`
  SELECT 1 FROM ${resource.kind === 'job' ? sql`jobs` : sql`projects`} thing
  WHERE ${resource.kind === 'job' ? sql`job_id` : sql`project_id`} = ${resource.id} AND owner_id = ${ownerId} FOR NO KEY UPDATE`;

/** The key of an own thing with its shares by others; no row: it is not there. */
export const countShares = ({
  ownerId,
  resource,
  subject,
}: NewShare): Sql<{ readonly key: bigint; readonly count: number }> => sql`
  SELECT thing.id AS key, (SELECT count(*)::int FROM shares share
    WHERE share.${keyOf(resource)} = thing.id AND share.subject <> ${writeSubject(subject)} AND ${isOpen}) AS count
  FROM ${found(resource)} thing WHERE owner_id = ${ownerId}`;

/** Keeps a share; one of the same subject gets its end. */
export const insertShare = (
  { shareId, resource, subject, expiresAt }: NewShare,
  key: bigint,
): Sql<ShareRow> => sql<ShareRow>`
  INSERT INTO shares (share_id, ${keyOf(resource)}, subject, expires_at)
  VALUES (${shareId}, ${key}, ${writeSubject(subject)}, ${expiresAt}::timestamptz)
  ON CONFLICT (${keyOf(resource)}, subject) DO UPDATE SET expires_at = EXCLUDED.expires_at
  RETURNING share_id AS "shareId", subject, created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Ends a share of an own thing. */
export const deleteShare = (ownerId: UserId, shareId: ShareId): Sql => sql`
  DELETE FROM shares share WHERE share_id = ${shareId} AND (
    EXISTS (SELECT 1 FROM jobs WHERE jobs.id = share.job_key AND owner_id = ${ownerId})
    OR EXISTS (SELECT 1 FROM projects WHERE projects.id = share.project_key AND owner_id = ${ownerId}))`;

/** The group of an own thing. */
export const setGroup = (ownerId: UserId, { kind, id }: Resource, groupId: string | null): Sql =>
  kind === 'job'
    ? sql`UPDATE jobs SET group_id = ${groupId}::text WHERE job_id = ${id} AND owner_id = ${ownerId}`
    : sql`UPDATE projects SET group_id = ${groupId}::text WHERE project_id = ${id} AND owner_id = ${ownerId}`;

/** Forgets shares that have ended. */
export const deleteExpiredShares = (): Sql => sql`DELETE FROM shares WHERE expires_at < now()`;
