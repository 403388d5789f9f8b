import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import type { InputDelivery } from '../domain/ports.js';
import { readJobId } from './mappers.js';

/** DeliverInput of jobs_service.proto. */
export function deliverInputRpc({ delivery }: { readonly delivery: InputDelivery }) {
  return async ({ jobId }: jobs.DeliverInputRequest): Promise<jobs.DeliverInputResponse> => {
    await delivery.requireDelivered(readJobId(jobId), actingUser());
    return {};
  };
}
