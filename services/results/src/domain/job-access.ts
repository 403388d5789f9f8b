import { fail } from './errors.js';
import type { InputKind } from './input.js';
import type { InputStore } from './ports.js';

/** Who reads: a user, who must own the job, or a runner, who works on any. */
export type Reader = { readonly kind: 'user'; readonly userId: bigint } | { readonly kind: 'runner' };

/** @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER */
export async function requireJob(
  inputs: Pick<InputStore, 'findJob'>,
  jobId: string,
  reader: Reader,
): Promise<{ ownerId: bigint; kind: InputKind }> {
  const job = await inputs.findJob(jobId);
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  if (reader.kind === 'user' && reader.userId !== job.ownerId) throw fail('JOB_OF_ANOTHER_USER');
  return job;
}
