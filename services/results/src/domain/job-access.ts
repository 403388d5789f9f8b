import { fail } from './errors.js';
import type { StoredJob } from './ports.js';

/** Who reads: a user, who must own the job, or a runner, who works on any. */
export type Reader = { readonly kind: 'user'; readonly userId: bigint } | { readonly kind: 'runner' };

/** The job, if the reader may see it. @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER */
export function requireReader<Job extends StoredJob>(job: Job | undefined, reader: Reader): Job {
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  if (reader.kind === 'user' && reader.userId !== job.ownerId) throw fail('JOB_OF_ANOTHER_USER');
  return job;
}
