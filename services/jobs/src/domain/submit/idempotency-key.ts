import { invalidField } from '../errors.js';

const LENGTH_MAX = 255;

/** @throws ServiceError REQUEST_INVALID */
export function checkIdempotencyKey(key: string): void {
  if (key.length <= LENGTH_MAX && !key.includes('\0')) return;
  throw invalidField('/idempotency_key', `must have at most ${LENGTH_MAX} characters`);
}
