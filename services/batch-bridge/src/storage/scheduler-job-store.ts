import type { SchedulerJobStore } from '../domain/ports.js';
import { type Database, Prisma } from './database.js';

/** Arrays and collect jobs in PostgreSQL. */
export function createSchedulerJobStore(database: Database): SchedulerJobStore {
  return {
    async noteAttempt(jobId, ordinal, { holder, now, before }) {
      const changed = await database.run(
        (statements) => statements.$executeRaw`
          UPDATE scheduler_jobs j SET attempted_at = ${now}
          FROM submissions s JOIN clusters c ON c.name = s.cluster_name
          WHERE j.job_id = ${jobId} AND j.ordinal = ${ordinal} AND j.scheduler_job_id IS NULL
            AND j.attempted_at IS NOT DISTINCT FROM ${before ?? null}::timestamptz
            AND s.job_id = j.job_id AND s.phase = 'uploaded'
            AND c.lease_holder = ${holder} AND c.lease_expires_at > ${now}`,
      );
      return changed === 1;
    },

    async setKnown(jobId, ordinal, id, now) {
      await database.run(
        (statements) => statements.$executeRaw`
          UPDATE scheduler_jobs SET scheduler_job_id = ${id}, known_at = ${now}, attempted_at = coalesce(attempted_at, ${now})
          WHERE job_id = ${jobId} AND ordinal = ${ordinal} AND scheduler_job_id IS NULL`,
      );
    },

    async setGone(jobId, ordinal, how) {
      const gone =
        how === 'lost'
          ? Prisma.sql`is_lost = true, end_description = NULL`
          : Prisma.sql`is_lost = false, end_description = ${how.description}`;
      await database.run((statements) =>
        statements.$executeRaw(Prisma.sql`
          UPDATE scheduler_jobs SET ${gone}
          WHERE job_id = ${jobId} AND ordinal = ${ordinal} AND scheduler_job_id IS NOT NULL`),
      );
    },
  };
}
