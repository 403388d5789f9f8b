import { type Sql, sql } from '@tally/service-kit';
import { groupsThatAllow } from '../../../domain/access/access.js';
import type { SharedScope } from '../../../domain/access/access-ports.js';
import type { UserId } from '../../../domain/job.js';
import { STATES } from '../../../domain/job-state.js';
import type { JobListQuery } from '../../../domain/ports.js';
import type { ProjectListQuery } from '../../../domain/project/project-ports.js';
import { boundOf, type Counted, orderOf, type PageRow, pageOfFound, type Slice, showPage } from '../job-pages.js';
import { JOB_COLUMNS } from '../job-row.js';
import { inArchive, isPlain, type Searched } from '../labels/search.js';
import { orderOfProjects, PROJECT_COLUMNS, type ProjectPageRow, titleContains } from '../projects.js';
import { isOpen } from './shares.js';

/** Whose a thing is. */
interface Belonging {
  readonly ownerId: UserId;
  readonly groupId: string | null;
}

/** There is one row without a thing where none is on the page. */
export type SharedJobRow = PageRow & Belonging;
export type SharedProjectRow = ProjectPageRow & Belonging & { readonly count: bigint };

/** Which rows of jobs, or of projects, are in the view. */
function inScope({ view, userId, groups }: SharedScope, key: Sql): Sql {
  const groupIds = [...groups.keys()];
  if (view === 'group') return sql`group_id = ANY(${groupIds}::text[])`;
  const subjects = [`user:${userId}`, ...groupIds.map((id) => `group:${id}`)];
  return sql`owner_id <> ${userId} AND id = ANY(ARRAY(
    SELECT ${key} FROM shares share WHERE share.subject = ANY(${subjects}::text[]) AND ${key} IS NOT NULL
      AND ${isOpen}))`;
}

const COLUMNS = sql`${JOB_COLUMNS}, jobs.owner_id AS "ownerId", jobs.group_id AS "groupId"`;

/** Jobs of the view; labels are there for who may change the job. */
const jobsOf = (scope: SharedScope): Searched => ({
  rows: inScope(scope, sql`job_key`),
  // never unknown: most jobs have no group
  hasLabels: sql`coalesce(owner_id = ${scope.userId} OR group_id = ANY(${groupsThatAllow(scope.groups, 'change')}::text[]), false)`,
});

/** A page of jobs of groups, or that are shared, beside the number of all that match. */
export function pageOfSharedJobs(scope: SharedScope, query: JobListQuery): Sql<SharedJobRow> {
  const { pageSize, pageIndex } = query;
  const slice = { isBackwards: false, offset: (pageIndex - 1) * pageSize, size: pageSize };
  const searched = jobsOf(scope);
  if (scope.view === 'shared' || !isPlain(query)) return pageOfFound<SharedJobRow>(query, slice, searched, COLUMNS);
  const kept = sql`${inArchive(query.search, searched.hasLabels)} AND ${hasState(query)}`;
  const counted = sql<Counted>`SELECT count(*) AS job_count FROM jobs WHERE ${searched.rows} AND ${kept}`;
  return showPage<SharedJobRow>(query, slice, nearOfGroups(scope, query, slice, kept), counted, COLUMNS);
}

const hasState = ({ states }: JobListQuery) =>
  states.length === STATES.length ? sql`true` : sql`state = ANY(${[...states]}::text[])`;

/** Each group gives its first rows from its own range of the index (jobs_by_group). */
const nearOfGroups = ({ groups }: SharedScope, query: JobListQuery, slice: Slice, kept: Sql) => sql`
  SELECT found.* FROM unnest(${[...groups.keys()]}::text[]) AS wanted (group_id)
  CROSS JOIN LATERAL (
    SELECT id, start_time, end_time FROM jobs WHERE jobs.group_id = wanted.group_id AND ${kept}
    ORDER BY ${orderOf(query, slice)} LIMIT ${boundOf(slice)}) found`;

/** The same of projects. */
export function pageOfSharedProjects(scope: SharedScope, query: ProjectListQuery): Sql<SharedProjectRow> {
  const { pageSize, pageIndex } = query;
  const where = sql`${inScope(scope, sql`project_key`)} AND ${titleContains(query.search)}`;
  return sql`
    SELECT count, page.* FROM (SELECT count(*) AS count FROM projects WHERE ${where}) counted
    LEFT JOIN (
      SELECT ${PROJECT_COLUMNS}, project.owner_id AS "ownerId", project.group_id AS "groupId",
        row_number() OVER (ORDER BY ${orderOfProjects(query)}) AS place
      FROM (SELECT * FROM projects WHERE ${where} ORDER BY ${orderOfProjects(query)}
        LIMIT ${pageSize} OFFSET ${(pageIndex - 1) * pageSize}::bigint) project) page ON true
    ORDER BY place`;
}
