import { type Sql, sql } from '@tally/service-kit';
import type { TitledLabels } from '../../../domain/labels/labels.js';
import type { JobQuery } from '../../../domain/ports.js';
import { isKept } from '../../../domain/retention/retention.js';
import { isKeptRow } from '../operate/retention.js';

/** Labels of a user's job, locked; no row: it is not his. */
export const lockLabels = ({ jobId, ownerId }: JobQuery): Sql<TitledLabels & { readonly jobKey: bigint }> => sql`
  SELECT id AS "jobKey", title, label_revision AS revision, tags, note, note IS NOT NULL AS "hasNote",
    is_favourite AS "isFavourite", is_archived AS "isArchived"
  FROM jobs WHERE job_id = ${jobId} AND owner_id = ${ownerId} FOR NO KEY UPDATE`;

/** Stores the labels of a job. From the moment when they keep it no longer, rules of retention warn anew. */
export const storeLabels = (jobKey: bigint, labels: TitledLabels): Sql => sql`
  UPDATE jobs SET label_revision = ${labels.revision}, title = ${labels.title}, tags = ${[...labels.tags]}::text[],
    note = ${labels.note}, is_favourite = ${labels.isFavourite}, is_archived = ${labels.isArchived},
    released_at = CASE WHEN ${isKeptRow(sql`jobs`)} AND NOT ${isKept(labels)}::boolean THEN now() ELSE released_at END
  WHERE id = ${jobKey}`;

/** Of one user's searches only one is stored at a time: their number is exact. */
export const lockSearches = (ownerId: bigint): Sql =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('searches ' || ${ownerId}::bigint, 0))`;

/** How many searches a user keeps besides one. */
export const countOtherSearches = (ownerId: bigint, name: string): Sql<{ readonly count: number }> => sql`
  SELECT count(*)::int AS count FROM saved_searches WHERE owner_id = ${ownerId} AND name <> ${name}`;

/** Keeps a search, in place of one of the same name. */
export const storeSearch = (ownerId: bigint, name: string, search: string): Sql => sql`
  INSERT INTO saved_searches (owner_id, name, search) VALUES (${ownerId}, ${name}, ${search})
  ON CONFLICT (owner_id, name) DO UPDATE SET search = EXCLUDED.search`;
