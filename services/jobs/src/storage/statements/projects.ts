import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../../domain/job.js';
import type { Project, ProjectText, Revision, RunRevision } from '../../domain/project/project.js';
import type {
  CurrentRevision,
  NewProject,
  ProjectListQuery,
  ProjectQuery,
  ProjectSave,
  ProjectUsage,
} from '../../domain/project/project-ports.js';

/** Of one user's projects only one is stored or saved at a time: the quotas are exact, and nobody saves over another. */
export const lockProjects = (ownerId: UserId): Sql =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('projects ' || ${ownerId}::bigint, 0))`;

/** What a user keeps. */
export const usageOfProjects = (ownerId: UserId): Sql<ProjectUsage> => sql`
  SELECT count(*)::int AS "projectCount", coalesce(sum(stored_bytes), 0)::float8 AS "storedBytes"
  FROM projects WHERE owner_id = ${ownerId}`;

/** Columns of a project as a {@link Project}. */
export const PROJECT_COLUMNS = sql<Project>`project.project_id AS "projectId", project.title, project.revision,
  project.created_at AS "createdAt", project.updated_at AS "updatedAt", project.thumbnail, project.size_bytes AS "sizeBytes"`;

/** Its owner is asked where it is found by its id. */
const ownProject = ({ ownerId, projectId }: ProjectQuery) => sql`
  (SELECT * FROM (SELECT * FROM projects WHERE project_id = ${projectId} OFFSET 0) any_project WHERE owner_id = ${ownerId}) project`;

/** The key of a project, with what a save is decided by. */
export const loadCurrent = (query: ProjectQuery): Sql<CurrentRevision & { readonly projectKey: bigint }> => sql`
  SELECT project.id AS "projectKey", current.revision, current.saved_at AS "savedAt", current.title, current.note,
    current.size_bytes AS "sizeBytes", current.content_hash AS "contentHash", current.request_hash AS "requestHash"
  FROM ${ownProject(query)} JOIN project_revisions current
    ON current.project_key = project.id AND current.revision = project.revision`;

/** The project that was kept under an idempotency key; the key of another request has another hash. */
export const findProjectKey = (
  ownerId: UserId,
  key: string,
): Sql<{ readonly requestHash: string; readonly projectId: string }> => sql`
  SELECT request_hash AS "requestHash", job_id AS "projectId" FROM idempotency_keys
  WHERE owner_id = ${ownerId} AND key = ${key} AND expires_at > now()`;

/** Remembers the project of a key. No row: a job was faster with it. */
export const storeProjectKey = (
  { ownerId, projectId }: ProjectQuery,
  { key, requestHash }: NonNullable<NewProject['idempotency']>,
  hours: number,
): Sql => sql`
  INSERT INTO idempotency_keys (owner_id, key, request_hash, job_id, seed, warnings, expires_at)
  VALUES (${ownerId}, ${key}, ${requestHash}, ${projectId}, 0, '[]', now() + ${hours}::float8 * interval '1 hour')
  ON CONFLICT (owner_id, key) DO UPDATE
  SET request_hash = EXCLUDED.request_hash, job_id = EXCLUDED.job_id, seed = EXCLUDED.seed, warnings = EXCLUDED.warnings,
    failure = NULL, answer = NULL, expires_at = EXCLUDED.expires_at
  WHERE idempotency_keys.expires_at <= now()
  RETURNING 1`;

/** What a text and a picture take, as the quota counts them. */
export const storedBytesOf = (text: ProjectText | undefined, thumbnail: string | null | undefined): number =>
  (text?.packed.byteLength ?? 0) + (thumbnail?.length ?? 0);

/** A project with its first revision. */
export const insertProject = (project: NewProject): Sql => {
  const { projectId, ownerId, groupId, title, note, thumbnail, text, idempotency } = project;
  return sql`
    WITH project AS (
      INSERT INTO projects (project_id, owner_id, group_id, title, revision, thumbnail, size_bytes, stored_bytes)
      VALUES (${projectId}, ${ownerId}, ${groupId}, ${title}, 1, ${thumbnail}, ${text.sizeBytes}, ${storedBytesOf(text, thumbnail)})
      RETURNING id)
    INSERT INTO project_revisions (project_key, revision, title, note, content_hash, request_hash, size_bytes, body)
    SELECT id, 1, ${title}, ${note}, ${text.hash}, ${idempotency?.requestHash ?? ''}, ${text.sizeBytes}, ${text.packed} FROM project`;
};

/** The next revision of a project; without a text that of the current one. */
export const insertRevision = (projectKey: bigint, save: ProjectSave): Sql<{ readonly savedAt: Date }> => sql`
  INSERT INTO project_revisions (project_key, revision, title, note, content_hash, request_hash, size_bytes, body)
  SELECT project_key, revision + 1, coalesce(${save.title ?? null}, title), ${save.note ?? ''},
    coalesce(${save.text?.hash ?? null}, content_hash), ${save.requestHash},
    coalesce(${save.text?.sizeBytes ?? null}::int, size_bytes), coalesce(${save.text?.packed ?? null}::bytea, body)
  FROM project_revisions WHERE project_key = ${projectKey} AND revision = (SELECT revision FROM projects WHERE id = ${projectKey})
  RETURNING saved_at AS "savedAt"`;

/** What the current revision is, for people. */
export const setNote = (projectKey: bigint, revision: number, note: string): Sql => sql`
  UPDATE project_revisions SET note = ${note} WHERE project_key = ${projectKey} AND revision = ${revision}`;

/** Most revisions that are kept of a project. */
const REVISIONS_MAX = 100;
/** Of the saves in each such span of time one is kept. */
const SPAN_SECONDS = 300;
/** The newest are kept in any case: what somebody else's save is compared with is among them. */
const NEWEST_KEPT = 2;

/**
 * Thins out the history of a project: besides the newest two, the last save of each five minutes stays, and each that has a note or that a
 * job has run; a hundred in all, of which those with neither go first, then the oldest.
 */
export const thinHistory = (projectKey: bigint, { projectId }: ProjectQuery): Sql => sql`
  WITH history AS (
    SELECT revision, row_number() OVER newest_first AS place,
      floor(date_part('epoch', saved_at) / ${SPAN_SECONDS}::float8)
        = floor(date_part('epoch', lag(saved_at) OVER newest_first) / ${SPAN_SECONDS}::float8) AS is_followed,
      note <> '' OR EXISTS (SELECT 1 FROM jobs WHERE project_id = ${projectId} AND project_revision = revision) AS is_marked
    FROM project_revisions WHERE project_key = ${projectKey} WINDOW newest_first AS (ORDER BY revision DESC)
  ), ranked AS (
    SELECT revision, place > ${NEWEST_KEPT} AND is_followed AND NOT is_marked AS is_folded,
      row_number() OVER (ORDER BY place <= ${NEWEST_KEPT} DESC, is_marked DESC, revision DESC) AS rank
    FROM history
  )
  DELETE FROM project_revisions WHERE project_key = ${projectKey}
    AND revision = ANY(ARRAY(SELECT revision FROM ranked WHERE is_folded OR rank > ${REVISIONS_MAX}))`;

/** The project as its newest revision says, with its picture, unless that stays. */
export const followRevision = (projectKey: bigint, { thumbnail }: ProjectSave): Sql => sql`
  UPDATE projects SET revision = newest.revision, title = newest.title, size_bytes = newest.size_bytes,
    updated_at = newest.saved_at, thumbnail = ${pictureOf(thumbnail)},
    stored_bytes = coalesce(length(${pictureOf(thumbnail)}), 0) + (
      SELECT coalesce(sum(octet_length(body)), 0) FROM project_revisions WHERE project_key = ${projectKey})
  FROM (SELECT revision, title, size_bytes, saved_at FROM project_revisions
    WHERE project_key = ${projectKey} ORDER BY revision DESC LIMIT 1) newest
  WHERE id = ${projectKey}`;

const pictureOf = (thumbnail: string | null | undefined) =>
  thumbnail === undefined ? sql`thumbnail` : sql`${thumbnail}::text`;

/** Row of a project with a revision of it. */
export interface OpenedRow extends Project {
  readonly shownRevision: number;
  readonly savedAt: Date;
  readonly shownTitle: string;
  readonly note: string;
  readonly shownBytes: number;
  readonly packed: Buffer | null;
  readonly version: string;
}

/**
 * A project with one of its revisions, whose text is left out where it has the known version. No columns of the revision: it is not kept.
 * @param revision - undefined: the current one
 */
export const openProject = (
  query: ProjectQuery,
  revision: number | undefined,
  knownVersion: string,
): Sql<OpenedRow | { readonly shownRevision: null }> => sql`
  SELECT ${PROJECT_COLUMNS}, shown.revision AS "shownRevision", shown.saved_at AS "savedAt", shown.title AS "shownTitle",
    shown.note, shown.size_bytes AS "shownBytes", versioned.version,
    CASE WHEN versioned.version <> ${knownVersion} THEN shown.body END AS packed
  FROM ${ownProject(query)}
  LEFT JOIN project_revisions shown
    ON shown.project_key = project.id AND shown.revision = coalesce(${revision ?? null}::int, project.revision)
  CROSS JOIN LATERAL (SELECT encode(sha256(convert_to(concat_ws(' ', project.project_id, project.revision, project.title,
    project.updated_at, shown.revision, shown.content_hash, shown.note), 'UTF8')), 'hex') AS version) versioned`;

/** There is one row without a project where none is on the page. */
export type ProjectPageRow = { readonly [K in keyof Project]: Project[K] | null } & { readonly projectCount: bigint };

/** Whether the title contains a text, in upper or lower case. */
export const titleContains = (search: string): Sql => sql`title ILIKE ${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}`;

/** A page of a user's projects beside the number of all that match. A user has a bounded number of them: all are looked at. */
export function pageOfProjects(query: ProjectListQuery): Sql<ProjectPageRow> {
  const { ownerId, pageSize, pageIndex, search } = query;
  const found = sql`(SELECT * FROM projects WHERE owner_id = ${ownerId} AND ${titleContains(search)})`;
  return sql`
    SELECT "projectCount", page.* FROM (SELECT count(*) AS "projectCount" FROM ${found} counted) counted
    LEFT JOIN (
      SELECT ${PROJECT_COLUMNS}, row_number() OVER (ORDER BY ${orderOfProjects(query)}) AS place FROM ${found} project
      ORDER BY place LIMIT ${pageSize} OFFSET ${(pageIndex - 1) * pageSize}::bigint) page ON true`;
}

/** Order of a page of projects. */
export function orderOfProjects({ order, isAscending }: ProjectListQuery): Sql {
  switch (order) {
    case 'updated_at':
      return isAscending ? sql`updated_at, id` : sql`updated_at DESC, id DESC`;
    case 'created_at':
      return isAscending ? sql`created_at, id` : sql`created_at DESC, id DESC`;
    case 'title':
      return isAscending ? sql`lower(title), id` : sql`lower(title) DESC, id DESC`;
  }
}

/** Jobs that are named of a revision. */
const JOBS_NAMED_MAX = 20;

/** The revisions of a project, the newest first, with the jobs of the same user that ran them. */
export const listRevisions = (
  query: ProjectQuery,
): Sql<Revision & Pick<RunRevision, 'jobIds'> & { jobCount: bigint }> => sql`
  SELECT kept.revision, kept.saved_at AS "savedAt", kept.title, kept.note, kept.size_bytes AS "sizeBytes",
    run.job_ids AS "jobIds", run.job_count AS "jobCount"
  FROM ${ownProject(query)} JOIN project_revisions kept ON kept.project_key = project.id
  CROSS JOIN LATERAL (
    SELECT coalesce((array_agg(job_id ORDER BY id DESC))[1:${JOBS_NAMED_MAX}], '{}') AS job_ids, count(*) AS job_count
    FROM jobs WHERE jobs.project_id = project.project_id AND jobs.project_revision = kept.revision
      AND jobs.owner_id = project.owner_id) run
  ORDER BY kept.revision DESC`;

/** Title and current revision of a project. */
export const findTitle = (query: ProjectQuery): Sql<Pick<Project, 'title' | 'revision'>> => sql`
  SELECT project.title, project.revision FROM ${ownProject(query)}`;

/** Removes a project with its revisions. */
export const deleteProject = ({ ownerId, projectId }: ProjectQuery): Sql => sql`
  DELETE FROM projects WHERE project_id = ${projectId} AND owner_id = ${ownerId}`;
