import { ServiceError, type StatusName } from '@tally/service-kit';

/** Statuses that a repeat of the same call cannot mend. */
const REFUSALS: ReadonlySet<StatusName> = new Set([
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
  'DATA_LOSS',
]);

/** Whether another service has answered for good; everything else (down, slow, faulty) may pass. */
export function isRefusal(err: unknown): err is ServiceError {
  return err instanceof ServiceError && REFUSALS.has(err.status);
}
