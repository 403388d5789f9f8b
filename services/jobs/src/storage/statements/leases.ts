import { type Sql, sql } from '@tally/service-kit';
import type { AttemptId } from '../../domain/task.js';

/** Attempts whose worker has been silent for too long, the longest first. */
export const listExpiredLeases = (limit: number): Sql<{ readonly id: AttemptId }> => sql`
  SELECT id FROM attempts WHERE ended_at IS NULL AND lease_expires_at < now()
  ORDER BY lease_expires_at LIMIT ${limit}`;
