import type { Branded } from '@tally/service-kit';
import { fail } from './errors.js';

/** Public id of a job, `YYYYMMDD-HHMMSS-<uuid>`; safe as a part of a path and of a marker. */
export type JobId = Branded<'JobId'>;

const JOB_ID = /^\d{8}-\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ServiceError JOB_ID_INVALID */
export function readJobId(text: string): JobId {
  if (!JOB_ID.test(text)) throw fail('JOB_ID_INVALID');
  return text as JobId;
}
