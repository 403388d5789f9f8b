import { ServiceError, type StatusName } from '@tally/service-kit';

/** Statuses that a repeat of the same call would get again. */
const PERMANENT: ReadonlySet<StatusName> = new Set([
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

/** Whether another service has refused for good; everything else (unreachable, slow, faulty) may pass. */
export function isPermanentError(err: unknown): err is ServiceError {
  return err instanceof ServiceError && PERMANENT.has(err.status);
}
