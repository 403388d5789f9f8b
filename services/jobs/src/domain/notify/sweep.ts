import type { FieldFault } from '@tally/service-kit';

/** Jobs that a client submits one by one, and that belong together. */
export interface Sweep {
  /** The client's own id. */
  readonly sweepId: string;
  /** How many jobs it has in all. */
  readonly size: number;
}

const ID = /^[\x21-\x7e]{1,64}$/;
const SIZE_MAX = 10_000;

/** What is wrong with a sweep; undefined: nothing. */
export function sweepFault({ sweepId, size }: Sweep): FieldFault | undefined {
  if (!ID.test(sweepId))
    return { field: '/sweep/id', message: 'must be 1 to 64 printable ASCII characters without blanks' };
  return Number.isInteger(size) && size >= 1 && size <= SIZE_MAX
    ? undefined
    : { field: '/sweep/size', message: `must be an integer from 1 to ${SIZE_MAX}` };
}
