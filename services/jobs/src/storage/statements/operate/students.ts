import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../../../domain/job.js';
import type { ClassTemplate } from '../../../domain/operate/list-students.js';
import type { Belongings } from '../../../domain/operate/operator-ports.js';
import type { QuotaOverride } from '../../../domain/usage/usage-ports.js';
import { isOpen } from '../access/shares.js';
import { QUOTA_COLUMNS } from '../accounting/usage.js';

type StudentRow = Belongings & QuotaOverride & { readonly ownerId: UserId; readonly isQuotaSet: boolean };

/** What users have: jobs, projects, a quota. Who has none of it has no row. */
export const listStudents = (ownerIds: readonly UserId[]): Sql<StudentRow> => sql<StudentRow>`
  SELECT owner.id AS "ownerId", job_count AS "jobCount", project_count AS "projectCount", kind IS NOT NULL AS "isQuotaSet",
    ${QUOTA_COLUMNS}
  FROM unnest(${[...ownerIds]}::bigint[]) owner (id)
  CROSS JOIN LATERAL (SELECT count(*)::int AS job_count FROM jobs WHERE owner_id = owner.id) job_of
  CROSS JOIN LATERAL (SELECT count(*)::int AS project_count FROM projects WHERE owner_id = owner.id) project_of
  LEFT JOIN quotas ON kind = 'user' AND subject_id = owner.id::text
  WHERE job_count > 0 OR project_count > 0 OR kind IS NOT NULL ORDER BY owner.id`;

/** Projects that groups may read, by their titles. */
export const listClassTemplates = (groupIds: readonly string[]): Sql<ClassTemplate> => sql<ClassTemplate>`
  SELECT substr(subject, 7) AS "groupId", projects.project_id AS "projectId", projects.title, share_id AS "shareId"
  FROM shares share JOIN projects ON projects.id = share.project_key
  WHERE subject = ANY(${groupIds.map((id) => `group:${id}`)}::text[]) AND ${isOpen}
  ORDER BY projects.title, projects.id`;
