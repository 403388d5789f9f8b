import type { Lease } from '../ports.js';

/** The lease as this copy of the service takes or renews it; undefined: another one has it. */
export function takeLease(lease: Lease | undefined, taken: Lease, now: Date): Lease | undefined {
  const isFree = lease === undefined || lease.holder === taken.holder || lease.expiresAt <= now;
  return isFree ? taken : undefined;
}
