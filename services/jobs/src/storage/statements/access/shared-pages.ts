import { type Sql, sql } from '@tally/service-kit';
import type { SharedScope } from '../../../domain/access/access-ports.js';
import type { UserId } from '../../../domain/job.js';
import type { JobListQuery } from '../../../domain/ports.js';
import type { ProjectListQuery } from '../../../domain/project/project-ports.js';
import { JOB_COLUMNS, type JobRow } from '../job-row.js';
import { orderOfProjects, PROJECT_COLUMNS, type ProjectPageRow, titleContains } from '../projects.js';

/** Whose a thing is. */
interface Belonging {
  readonly ownerId: UserId;
  readonly groupId: string | null;
}

/** There is one row without a thing where none is on the page. */
export type SharedJobRow = { readonly [K in keyof JobRow]: JobRow[K] | null } & Belonging & { readonly count: bigint };
export type SharedProjectRow = ProjectPageRow & Belonging & { readonly count: bigint };

/** Which rows of jobs, or of projects, are in the view. */
function inScope({ view, userId, groupIds }: SharedScope, key: Sql): Sql {
  if (view === 'group') return sql`group_id = ANY(${[...groupIds]}::text[])`;
  const subjects = [`user:${userId}`, ...groupIds.map((id) => `group:${id}`)];
  return sql`owner_id <> ${userId} AND id = ANY(ARRAY(
    SELECT ${key} FROM shares share WHERE share.subject = ANY(${subjects}::text[]) AND ${key} IS NOT NULL
      AND (share.expires_at IS NULL OR share.expires_at > now())))`;
}

const orderOfJobs = ({ order, isAscending }: JobListQuery) => {
  if (order === 'start_time') return isAscending ? sql`start_time, id` : sql`start_time DESC, id DESC`;
  return isAscending ? sql`end_time NULLS FIRST, id` : sql`end_time DESC NULLS LAST, id DESC`;
};

const limitOf = ({ pageSize, pageIndex }: { readonly pageSize: number; readonly pageIndex: number }) =>
  sql`LIMIT ${pageSize} OFFSET ${(pageIndex - 1) * pageSize}::bigint`;

/** A page of jobs of groups, or that are shared, beside the number of all that match. */
export function pageOfSharedJobs(scope: SharedScope, query: JobListQuery): Sql<SharedJobRow> {
  const where = sql`${inScope(scope, sql`job_key`)} AND state = ANY(${[...query.states]}::text[])`;
  return sql`
    SELECT count, page.* FROM (SELECT count(*) AS count FROM jobs WHERE ${where}) counted
    LEFT JOIN (
      SELECT ${JOB_COLUMNS}, jobs.owner_id AS "ownerId", jobs.group_id AS "groupId",
        row_number() OVER (ORDER BY ${orderOfJobs(query)}) AS place
      FROM (SELECT * FROM jobs WHERE ${where} ORDER BY ${orderOfJobs(query)} ${limitOf(query)}) jobs) page ON true
    ORDER BY place`;
}

/** The same of projects. */
export function pageOfSharedProjects(scope: SharedScope, query: ProjectListQuery): Sql<SharedProjectRow> {
  const where = sql`${inScope(scope, sql`project_key`)} AND ${titleContains(query.search)}`;
  return sql`
    SELECT count, page.* FROM (SELECT count(*) AS count FROM projects WHERE ${where}) counted
    LEFT JOIN (
      SELECT ${PROJECT_COLUMNS}, project.owner_id AS "ownerId", project.group_id AS "groupId",
        row_number() OVER (ORDER BY ${orderOfProjects(query)}) AS place
      FROM (SELECT * FROM projects WHERE ${where} ORDER BY ${orderOfProjects(query)} ${limitOf(query)}) project) page ON true
    ORDER BY place`;
}
