import { fail } from '../domain/errors.js';
import type { Database } from './database.js';

/**
 * Holds the job's row until the end of the transaction: one writer of a job's outputs or results at a time, and no
 * deletion meanwhile.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function lockJob(tx: Database, jobId: string): Promise<void> {
  // NO KEY: leaves inserts that refer to the row alone
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw fail('JOB_NOT_FOUND');
}
