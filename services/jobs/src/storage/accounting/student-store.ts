import type { StudentStore } from '../../domain/operate/list-students.js';
import type { Database } from '../database.js';
import { listClassTemplates, listStudents } from '../statements/operate/students.js';

/** What students have, in PostgreSQL. */
export const createStudentStore = (database: Database): StudentStore => ({
  async listStudents(ownerIds) {
    const rows = await database.rows(listStudents(ownerIds));
    return rows.map(({ ownerId, jobCount, projectCount, isQuotaSet, ...quota }) => ({
      ownerId,
      jobCount,
      projectCount,
      quota: isQuotaSet ? quota : undefined,
    }));
  },
  listTemplates: (groupIds) => database.rows(listClassTemplates(groupIds)),
});
