import { type CallOptions, hasReason, ServiceError } from '@tally/service-kit';
import type { ServiceClients } from '../../clients/services.js';

/**
 * Reads jobs in results. One that results does not know may have been submitted a moment ago, and its input be on its way (ADR 20): then
 * jobs delivers it, and it is read once more.
 * @param read - changes nothing, and rejects before anything is sent
 */
export async function afterDelivery<T>(
  { jobs }: Pick<ServiceClients, 'jobs'>,
  jobIds: readonly string[],
  call: CallOptions,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (err) {
    if (!hasReason(err, 'JOB_NOT_FOUND')) throw err;
    try {
      await Promise.all(jobIds.map((jobId) => jobs.deliverInput({ jobId }, call)));
    } catch (failure) {
      // jobs of the release before has no inputs to deliver
      throw failure instanceof ServiceError && failure.status === 'UNIMPLEMENTED' ? err : failure;
    }
  }
  return read();
}
