import { z } from 'zod';

/** Text that a person or program may send: no control characters, no halves of characters. */
export const plainText = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

/** Public job id. What no job has is not malformed: it is just not found. */
export const jobId = plainText.min(1).max(128).meta({ description: 'Job id, as the submission returned it' });

/** Id of a group. What no group has is not malformed: it is just not found. */
export const groupId = plainText.min(1).max(64).meta({ description: 'Group id, as POST /groups returned it' });

/** Query of everything that concerns one job. */
export const jobQuery = z.object({ job_id: jobId });

/** Whole number in a query string: decimal digits only, no blanks, signs or exponents. */
export function queryInteger(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number, ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });
}
